"""FRR routers in network namespaces on this machine."""
