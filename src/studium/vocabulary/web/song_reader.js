// A song to read: kana above kanji, every word to learn is a button. Everything is text, never markup.
export default {
  template: `
    <div class="v-song" :class="'v-by-' + state.mode" :lang="lang">
      <p v-for="line in lines" :key="line.n" :id="'line-' + line.n" class="v-line" :class="{ 'v-unsung': !line.sung }">
        <span v-if="timed" class="v-time">{{ line.t }}</span>
        <span class="v-words"><template v-for="(part, at) in line.parts" :key="at"><button v-if="part.w" type="button" class="v-word" :class="look(part)" :aria-pressed="part.w === state.open" @click="$emit('word', part.w)"><template v-for="(sign, place) in part.signs" :key="place"><ruby v-if="sign[1]">{{ sign[0] }}<rp>(</rp><rt>{{ sign[1] }}{{ part.unsure ? "?" : "" }}</rt><rp>)</rp></ruby><template v-else>{{ sign[0] }}</template></template></button><template v-else v-for="(sign, place) in part.signs" :key="place"><ruby v-if="sign[1]">{{ sign[0] }}<rp>(</rp><rt>{{ sign[1] }}{{ part.unsure ? "?" : "" }}</rt><rp>)</rp></ruby><template v-else>{{ sign[0] }}</template></template></template></span>
      </p>
    </div>
  `,
  // The song is sent once; later changes of its words come through `update`.
  props: { song: String, given: String, lang: String },
  emits: ["word"],
  data() {
    return { state: JSON.parse(this.given) };
  },
  computed: {
    lines() {
      return JSON.parse(this.song);
    },
    timed() {
      return this.lines.some((line) => line.t);
    },
  },
  methods: {
    update(more) {
      Object.assign(this.state, JSON.parse(more));
    },
    look(part) {
      const mark = this.state.marks[part.w] ?? {};
      return [mark.known ? "v-known" : "v-unknown", mark.level ? `v-n${mark.level}` : "v-n0"];
    },
  },
};
