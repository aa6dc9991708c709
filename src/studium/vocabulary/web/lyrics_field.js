// Lyrics that are pasted; they go to the server as a file, however long they are.
const most = 50_000; // signs; the server reads fewer, and says so

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
      <label class="v-check"><input type="checkbox" v-model="keeping" /> Keep the lyrics here, to read the whole song again</label>
      <span v-if="problem" class="v-problem" role="alert">{{ problem }}</span>
      <button type="submit" class="v-primary" :disabled="sending">{{ sending ? "Reading …" : "Read the song" }}</button>
    </form>
  `,
  props: { url: String, keep: Boolean },
  emits: ["brought"],
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
        form.append("file", new Blob([this.text.slice(0, most)], { type: "text/plain" }), "lyrics.txt");
        const answer = await fetch(this.url, { method: "POST", body: form });
        const told = await answer.json();
        if (!answer.ok) throw new Error([told.detail, told.remedy].filter(Boolean).join(" "));
        this.$emit("brought", { id: told.id, title: this.named(), artist: this.artist, keep: this.keeping });
      } catch (error) {
        this.sending = false;
        this.problem = error instanceof TypeError ? "The server did not answer. Try again when it is back." : error.message;
      }
    },
    named() {
      // LRC files name themselves; other lyrics are called by their first line.
      if (this.title || /^\s*\[ti:/m.test(this.text)) return this.title;
      const first = this.text.split("\n").map((line) => line.replace(/^\s*(\[[^\]]*\]\s*)+/, "").trim()).find(Boolean);
      return (first || "").slice(0, 40);
    },
  },
};
