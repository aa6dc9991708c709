// A place to drop a file on, or to choose one; it goes to the server as a stream, with its progress shown.
export default {
  template: `
    <label class="s-drop" :class="{ 's-drop-over': over }" @dragover.prevent="over = true" @dragleave="over = false" @drop.prevent="dropped">
      <input type="file" :accept="accept" :disabled="sending" @change="chosen" />
      <i class="q-icon material-icons notranslate" aria-hidden="true">upload_file</i>
      <strong>{{ label }}</strong>
      <span class="s-muted s-small">{{ hint }}</span>
      <progress v-if="sending" :value="sent" max="1" aria-label="Upload"></progress>
      <span v-if="problem" role="alert">{{ problem }}</span>
    </label>
  `,
  props: { label: String, hint: String, accept: String, url: String, most: Number },
  emits: ["uploaded", "full"],
  data: () => ({ over: false, sending: false, sent: 0, problem: "" }),
  methods: {
    dropped(event) {
      this.over = false;
      if (event.dataTransfer.files.length) this.send(event.dataTransfer.files[0]);
    },
    chosen(event) {
      if (event.target.files.length) this.send(event.target.files[0]);
      event.target.value = "";
    },
    send(file) {
      if (this.sending) return;
      this.problem = this.refusal(file);
      if (this.problem) return;
      const form = new FormData();
      form.append("file", file);
      const request = new XMLHttpRequest();
      request.open("POST", this.url);
      request.upload.onprogress = (event) => (this.sent = event.loaded / event.total);
      request.onloadend = () => this.ended(request);
      this.sent = 0;
      this.sending = true;
      request.send(form);
    },
    refusal(file) {
      const endings = this.accept ? this.accept.split(",") : [];
      const fits = endings.length === 0 || endings.some((ending) => file.name.toLowerCase().endsWith(ending));
      if (!fits) return `${file.name} is of another kind; wanted: ${endings.join(", ")}.`;
      if (file.size > this.most) return `${file.name} is larger than ${Math.round(this.most / 1e6)} MB.`;
      return "";
    },
    ended(request) {
      this.sending = false;
      if (request.status === 201) {
        this.$emit("uploaded", JSON.parse(request.responseText));
      } else if (request.status === 0) {
        this.problem = "The server did not answer. Try again when it is back.";
      } else {
        this.problem = this.said(request) || `The server refused the file (${request.status}).`;
        if (request.status === 507) this.$emit("full");
      }
    },
    said(request) {
      try {
        const told = JSON.parse(request.responseText);
        return [told.detail, told.remedy].filter((part) => typeof part === "string").join(" ");
      } catch {
        return "";
      }
    },
  },
};
