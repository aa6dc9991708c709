// A card as Anki shows it, in a frame where no script runs: front or back, by day or by night.
export default {
  template: `
    <div class="s-stack">
      <div class="s-row s-between">
        <div class="s-row s-tight" role="group" aria-label="Card">
          <button v-for="(card, at) in cards" v-show="cards.length > 1" type="button" class="s-choice" :aria-pressed="String(at === chosen)" @click="choose(at)">{{ card.name }}</button>
          <button type="button" class="s-choice" :aria-pressed="String(back)" @click="flip">{{ back ? "Show the question" : "Show the answer" }}</button>
        </div>
        <button type="button" class="s-choice" :aria-pressed="String(dark)" @click="shade(!dark)">Dark</button>
      </div>
      <iframe ref="frame" class="s-sandbox" :sandbox="sandbox" :srcdoc="page" :title="back ? 'The back of the card' : 'The front of the card'" @load="dress"></iframe>
    </div>
  `,
  props: { cards: Array, sandbox: String },
  data: () => ({ chosen: 0, back: false, dark: document.documentElement.dataset.theme === "dark" }),
  computed: {
    page() {
      const card = this.cards[this.chosen] ?? this.cards[0];
      return this.back ? card.back : card.front;
    },
  },
  mounted() {
    this.theme = new MutationObserver(() => this.shade(document.documentElement.dataset.theme === "dark"));
    this.theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  },
  unmounted() {
    this.theme.disconnect();
  },
  methods: {
    flip() {
      this.back = !this.back;
    },
    choose(at) {
      this.chosen = at;
      this.back = false;
    },
    shade(dark) {
      this.dark = dark;
      this.dress();
    },
    dress() {
      const page = this.$refs.frame?.contentDocument;
      if (!page?.body) return;
      for (const each of [page.documentElement, page.body]) {
        each.classList.toggle("nightMode", this.dark);
        each.classList.toggle("night_mode", this.dark);
      }
      page.documentElement.style.colorScheme = this.dark ? "dark" : "light";
      page.documentElement.style.background = getComputedStyle(page.body).backgroundColor;
      this.$refs.frame.style.height = `${Math.min(Math.max(page.body.scrollHeight + 4, 120), 560)}px`;
    },
  },
};
