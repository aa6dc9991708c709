"""Labs as a teacher writes them: a folder with `lab.yaml`, instructions and documents."""
