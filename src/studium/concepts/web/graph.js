// The concept map with a list of the same concepts beside it; the URL holds the current selection.
import { GraphCanvas } from "studium-graph-canvas";

const BUTTON_CORNER = { width: 56, height: 138 };
const KEYS = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };

export default {
  template: `
    <div class="c-graph">
      <div class="c-tools">
        <input v-model="typed" type="search" class="c-field c-find" aria-label="Find a concept" placeholder="Find a title; Enter finds by meaning" @keydown.enter="typed.trim() && $emit('search', typed.trim())" />
        <select v-model="book" class="c-field" aria-label="Book">
          <option value="">All books</option>
          <option v-for="each in books" :key="each" :value="each">{{ each }}</option>
        </select>
        <select v-model.number="depth" class="c-field" aria-label="Distance from the concept" :disabled="!chosen">
          <option :value="0">Whole graph</option>
          <option :value="1">1 link around it</option>
          <option :value="2">2 links around it</option>
          <option :value="3">3 links around it</option>
        </select>
      </div>
      <div class="c-legend" role="group" aria-label="Shown relations">
        <button v-for="(name, type) in relations" :key="type" type="button" :aria-pressed="!hidden.includes(type)" @click="toggle(type)">
          <span class="c-line" :style="{ background: 'var(--relation-' + type.toLowerCase() + ')' }"></span>{{ name }}
        </button>
      </div>
      <div class="c-canvas">
        <canvas ref="canvas" tabindex="0" role="img" :aria-label="description" @wheel.prevent="wheel" @pointerdown="down" @pointermove="moved" @pointerup="up" @pointercancel="up" @pointerleave="left" @keydown="key"></canvas>
        <div class="c-zoom">
          <button type="button" aria-label="Zoom in" @click="drawing.zoomBy(1.4)">+</button>
          <button type="button" aria-label="Zoom out" @click="drawing.zoomBy(1 / 1.4)">−</button>
          <button type="button" aria-label="Show all" @click="drawing.fit()">⤢</button>
        </div>
        <p v-if="problem" class="c-note" role="alert">{{ problem }} <button type="button" @click="load">Try again</button></p>
        <p v-else-if="!ready" class="c-note" role="status">Drawing the map…</p>
      </div>
      <div ref="beside" class="c-beside">
        <div v-show="!chosen && !searching" class="c-list-box">
          <p class="s-muted s-small" role="status">{{ listed.length }} {{ listed.length === 1 ? "concept" : "concepts" }}</p>
          <q-virtual-scroll :items="listed" :virtual-scroll-item-size="48" class="c-list" role="group" aria-label="Concepts" v-slot="{ item }">
            <a :key="item.uuid" :href="address(item.uuid)" class="c-item" @click.prevent="choose(item.uuid)">
              <span>{{ item.title }}</span>
              <span class="s-muted s-small">{{ item.degree }} {{ item.degree === 1 ? "link" : "links" }}</span>
            </a>
          </q-virtual-scroll>
        </div>
        <div v-show="chosen || searching"><slot></slot></div>
      </div>
    </div>
  `,
  props: { relations: Object, start: Object, searching: Boolean },
  emits: ["choose", "search"],
  data() {
    return { ...this.start, typed: "", hidden: [], books: [], listed: [], ready: false, problem: "" };
  },
  computed: {
    description() {
      return `Map of ${this.listed.length} concepts. Arrows move it, plus and minus zoom; the list beside it has the same concepts.`;
    },
  },
  watch: {
    typed: "filter",
    hidden: "filter",
    book() {
      this.remember();
      this.filter();
    },
    depth() {
      this.remember();
      this.load();
    },
  },
  async mounted() {
    this.drawing = new GraphCanvas(this.$refs.canvas, BUTTON_CORNER);
    this.fingers = new Map();
    this.watcher = new ResizeObserver(() => this.drawing.resize());
    this.watcher.observe(this.$refs.canvas);
    this.theme = new MutationObserver(() => this.drawing.redraw());
    this.theme.observe(document.documentElement, { attributes: true });
    window.addEventListener("popstate", this.returned);
    await this.load();
  },
  unmounted() {
    this.watcher.disconnect();
    this.theme.disconnect();
    window.removeEventListener("popstate", this.returned);
  },
  methods: {
    async load() {
      this.ready = false;
      this.problem = "";
      const query = this.depth && this.chosen ? `?around=${encodeURIComponent(this.chosen)}&depth=${this.depth}` : "";
      this.query = query;
      try {
        const answer = await fetch(`/api/v1/concepts/map${query}`);
        const body = await answer.json();
        if (this.query !== query) return;
        if (!answer.ok) throw new Error(body.error); // what happened, and what to do
        this.useMap(body);
      } catch (error) {
        this.problem = error instanceof TypeError ? "The server does not answer." : error.message;
      }
    },
    useMap(map) {
      const nodes = new Map(map.nodes.map((node) => [node.uuid, Object.freeze(node)]));
      this.map = {
        nodes,
        edges: map.edges.map((edge) => ({ source: nodes.get(edge.source), target: nodes.get(edge.target), type: edge.type })),
      };
      this.books = [...new Set([...map.nodes.flatMap((node) => node.books), ...(this.book ? [this.book] : [])])].sort();
      this.ready = true;
      this.filter();
    },
    filter() {
      if (!this.map) return;
      const wanted = this.typed.trim().toLocaleLowerCase();
      const shown = (node) => !this.book || node.books.includes(this.book);
      const nodes = [...this.map.nodes.values()].filter(shown);
      const edges = this.map.edges.filter((edge) => !this.hidden.includes(edge.type) && shown(edge.source) && shown(edge.target));
      const found = wanted ? nodes.filter((node) => node.title.toLocaleLowerCase().includes(wanted)) : nodes;
      this.listed = Object.freeze(found.sort((one, other) => one.title.localeCompare(other.title)));
      this.drawing.show(nodes, edges);
      this.point();
    },
    point() {
      this.drawing.chosen = this.map?.nodes.get(this.chosen) ?? null;
      if (this.drawing.chosen) this.drawing.lookAt(this.drawing.chosen);
      else this.drawing.redraw();
    },
    toggle(type) {
      this.hidden = this.hidden.includes(type) ? this.hidden.filter((each) => each !== type) : [...this.hidden, type];
    },
    choose(uuid) {
      this.set(uuid);
      history.pushState(null, "", this.address(uuid));
      this.$emit("choose", uuid);
      const below = this.$refs.beside.offsetTop > this.$refs.canvas.parentElement.offsetTop;
      if (uuid && below) this.$refs.beside.scrollIntoView();
    },
    set(uuid) {
      this.chosen = uuid;
      if (this.depth && !uuid) this.depth = 0;
      else if (this.depth) this.load();
      else this.point();
    },
    address(uuid) {
      const asked = new URLSearchParams();
      if (uuid) asked.set("concept", uuid);
      if (this.book) asked.set("book", this.book);
      if (uuid && this.depth) asked.set("depth", this.depth);
      return asked.size ? `/concepts?${asked}` : "/concepts";
    },
    remember() {
      history.replaceState(null, "", this.address(this.chosen));
    },
    returned() {
      const asked = new URLSearchParams(location.search);
      this.set(asked.get("concept") ?? "");
      this.$emit("choose", this.chosen);
    },
    wheel(event) {
      this.drawing.zoomBy(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    },
    down(event) {
      this.$refs.canvas.setPointerCapture(event.pointerId);
      this.fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
      this.travelled = 0;
    },
    moved(event) {
      const before = this.fingers.get(event.pointerId);
      if (!before) return this.hover(event);
      const [right, down] = [event.offsetX - before[0], event.offsetY - before[1]];
      this.travelled += Math.abs(right) + Math.abs(down);
      const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const far = ([x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
        this.drawing.zoomBy(far([event.offsetX, event.offsetY]) / far(before), other[0], other[1]);
      } else {
        this.drawing.move(right, down);
      }
      this.fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    },
    hover(event) {
      const node = this.drawing.at(event.offsetX, event.offsetY);
      if (node === this.drawing.hovered) return;
      this.drawing.hovered = node;
      this.$refs.canvas.style.cursor = node ? "pointer" : "grab";
      this.drawing.redraw();
    },
    up(event) {
      const node = this.fingers.size === 1 && this.travelled < 6 ? this.drawing.at(event.offsetX, event.offsetY) : null;
      this.fingers.delete(event.pointerId);
      if (node && event.type === "pointerup") this.choose(node.uuid);
    },
    left() {
      this.drawing.hovered = null;
      this.drawing.redraw();
    },
    key(event) {
      if (KEYS[event.key]) this.drawing.move(...KEYS[event.key]);
      else if (event.key === "+" || event.key === "=") this.drawing.zoomBy(1.3);
      else if (event.key === "-") this.drawing.zoomBy(1 / 1.3);
      else if (event.key === "0") this.drawing.fit();
      else return;
      event.preventDefault();
    },
  },
};
