// The words of a song to choose from; the browser remembers the choice.
export default {
  template: `
    <div class="v-list">
      <div class="s-row v-choices" role="group" aria-label="Choose words">
        <button type="button" class="v-plain" @click="choose(first)" :disabled="!first.length">The next {{ first.length }}</button>
        <button type="button" class="v-plain" @click="choose(unknown)" :disabled="!unknown.length">All unknown</button>
        <button type="button" class="v-plain" @click="choose([])" :disabled="!chosen.length">None</button>
        <span class="s-muted s-small" aria-live="polite">{{ chosen.length }} of {{ words.length }} chosen</span>
      </div>
      <ul class="v-items">
        <li v-for="word in words" :key="word.key" :class="{ 'v-is-known': word.known }">
          <input type="checkbox" :checked="chosen.includes(word.key)" :aria-label="'Choose ' + word.written" @change="flip(word.key)" />
          <button type="button" class="v-entry" @click="$emit('open', word.key)">
            <span class="v-written" :lang="lang">{{ word.written }}<small v-if="word.reading !== word.written">{{ word.reading }}</small></span>
            <span class="v-english">{{ word.english }}</span>
          </button>
          <span class="v-signs">
            <span v-if="word.known" class="s-chip s-good">known</span>
            <span v-else-if="word.unlocks" class="s-chip s-accent" :title="word.readable">+{{ word.unlocks }} {{ word.unlocks > 1 ? "lines" : "line" }}</span>
            <span v-if="word.level" class="s-chip s-neutral">N{{ word.level }}</span>
            <span class="s-muted s-small">{{ word.count }}×</span>
          </span>
        </li>
      </ul>
    </div>
  `,
  props: { given: String, song: String, lang: String },
  emits: ["open", "chosen"],
  data() {
    return { words: JSON.parse(this.given), chosen: [] };
  },
  computed: {
    unknown() {
      return this.words.filter((word) => !word.known).map((word) => word.key);
    },
    first() {
      return this.unknown.slice(0, 10);
    },
    place() {
      return `studium-words-${this.song}`;
    },
  },
  mounted() {
    const there = new Set(this.words.map((word) => word.key));
    this.choose(this.remembered().filter((key) => there.has(key)));
  },
  methods: {
    update(words) {
      this.words = JSON.parse(words);
    },
    remembered() {
      try {
        const kept = JSON.parse(localStorage.getItem(this.place));
        return Array.isArray(kept) ? kept : this.first;
      } catch {
        return this.first;
      }
    },
    flip(key) {
      this.choose(this.chosen.includes(key) ? this.chosen.filter((each) => each !== key) : [...this.chosen, key]);
    },
    choose(keys) {
      this.chosen = keys;
      localStorage.setItem(this.place, JSON.stringify(keys));
      this.$emit("chosen", keys);
    },
  },
};
