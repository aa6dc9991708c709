// A window onto a list of any length: rows are equally high, and only those in sight are there.
const HEIGHT = 84;
const SPARE = 15;

export default {
  template: `
    <div class="in-scroll" ref="scroll" @scroll.passive="look">
      <ul class="in-lines" role="list" aria-label="Reviews" :style="{ height: total * height + 'px' }">
        <li v-for="(row, at) in rows" :key="row.id" class="in-line" :class="{ 'in-marked': row.marked }"
            :style="{ transform: 'translateY(' + (start + at) * height + 'px)' }"
            :aria-setsize="total" :aria-posinset="start + at + 1">
          <input type="checkbox" :checked="row.marked" :aria-label="'Select ' + row.title" @change="$emit('mark', row.id)" />
          <a :href="'/inbox?review=' + row.id" :aria-current="row.id === current ? 'true' : null" @click.exact.prevent="$emit('pick', row.id)">
            <span class="in-line-head"><strong>{{ row.title }}</strong><span class="in-when">{{ row.when }}</span></span>
            <span class="in-line-doubt">{{ row.doubt }}</span>
            <span class="in-line-kind">{{ row.feature }}<template v-if="row.status !== 'open'"> · {{ row.status }}</template></span>
          </a>
        </li>
      </ul>
    </div>
  `,
  props: { total: Number, start: Number, rows: Array, current: String },
  emits: ["sight", "pick", "mark", "back"],
  data: () => ({ height: HEIGHT, asked: "" }),
  mounted() {
    new ResizeObserver(() => this.look()).observe(this.$refs.scroll);
    this.hash = location.hash;
    window.addEventListener("popstate", this.follow);
  },
  unmounted() {
    window.removeEventListener("popstate", this.follow);
  },
  methods: {
    look() {
      requestAnimationFrame(() => {
        const { scrollTop, clientHeight } = this.$refs.scroll ?? { clientHeight: 0 };
        if (!clientHeight) return;
        const first = Math.floor(scrollTop / HEIGHT);
        const last = Math.min(this.total, Math.ceil((scrollTop + clientHeight) / HEIGHT));
        if (first >= this.start && last <= this.start + this.rows.length) return;
        const sight = { start: Math.max(0, first - SPARE), end: last + SPARE };
        if (this.asked === JSON.stringify(sight)) return;
        this.asked = JSON.stringify(sight);
        this.$emit("sight", sight);
      });
    },
    // The browser's own way back to the list, and forward again; a link to a place on this page leads to neither.
    follow() {
      const isPlace = location.hash !== this.hash;
      this.hash = location.hash;
      if (isPlace) return;
      if (history.state?.review) this.$emit("pick", new URL(location).searchParams.get("review"));
      else this.$emit("back");
    },
    reveal(place) {
      const scroll = this.$refs.scroll;
      const top = place * HEIGHT;
      if (top < scroll.scrollTop) scroll.scrollTop = top;
      if (top + HEIGHT > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = top + HEIGHT - scroll.clientHeight;
      this.look();
    },
  },
  watch: {
    rows() {
      this.asked = "";
    },
  },
};
