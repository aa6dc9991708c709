// Pasted lyrics, sent to the server as a file.
const maxLength = 50_000; // characters; the server reads fewer, and says so

export default {
  template: `
    <form class="v-form" @submit.prevent="send">
      <div class="v-pair">
        <label>Title <input v-model.trim="title" maxlength="300" /></label>
        <label>Artist <input v-model.trim="artist" maxlength="300" /></label>
      </div>
      <label>Lyrics
        <textarea v-model="text" rows="8" placeholder="夜空の道を一人で歩く" :aria-invalid="!!problem"></textarea>
      </label>
      <label class="v-check"><input type="checkbox" v-model="keeping" /> Save the lyrics, to read the whole song again</label>
      <span v-if="problem" class="v-problem" role="alert">{{ problem }}</span>
      <button type="submit" class="v-primary" :disabled="sending">{{ sending ? "Reading …" : "Read the song" }}</button>
    </form>
  `,
  props: { url: String, keep: Boolean },
  emits: ["uploaded"],
  data() {
    return { title: "", artist: "", text: "", keeping: this.keep, sending: false, problem: "" };
  },
  methods: {
    async send() {
      this.problem = this.text.trim() ? "" : "Paste some lyrics first.";
      if (this.problem || this.sending) return;
      this.sending = true;
      try {
        const form = new FormData();
        form.append("file", new Blob([this.text.slice(0, maxLength)], { type: "text/plain" }), "lyrics.txt");
        const answer = await fetch(this.url, { method: "POST", body: form });
        const reply = await answer.json();
        if (!answer.ok) throw new Error([reply.detail, reply.remedy].filter(Boolean).join(" "));
        this.$emit("uploaded", { id: reply.id, title: this.named(), artist: this.artist, keep: this.keeping });
      } catch (error) {
        this.sending = false;
        this.problem = error instanceof TypeError ? "The server did not answer. Try again when it is back." : error.message;
      }
    },
    named() {
      // LRC files have a title; other lyrics are named after their first line.
      if (this.title || /^\s*\[ti:/m.test(this.text)) return this.title;
      const first = this.text.split("\n").map((line) => line.replace(/^\s*(\[[^\]]*\]\s*)+/, "").trim()).find(Boolean);
      return (first || "").slice(0, 40);
    },
  },
};
