// The rows of a table by keyboard: the table is one tab stop, and the arrow keys go from row to row, drawn or not.
// The focus stays on the table, which says which row is meant: a row that scrolls out of sight is no longer there.
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

export default {
  template: "<span hidden></span>",
  props: { table: Number, field: String, title: String },
  mounted() {
    this.$nextTick(this.attach);
  },
  beforeUnmount() {
    this.watcher?.disconnect();
  },
  methods: {
    attach() {
      this.quasar = getElement(this.table).$refs.qRef;
      this.grid = this.quasar.$el.querySelector("table");
      this.here = this.rows = this.sought = null;
      this.grid.tabIndex = 0;
      this.grid.setAttribute("role", "grid");
      this.grid.setAttribute("aria-label", this.title);
      this.grid.addEventListener("focus", () => this.entered());
      this.grid.addEventListener("keydown", (event) => this.pressed(event));
      this.grid.addEventListener("click", (event) => this.choose(event.target.closest("tr")));
      this.watcher = new MutationObserver(() => this.mark());
      this.watcher.observe(this.grid, { childList: true, subtree: true });
      this.$watch(() => this.quasar.computedRows, this.mark, { flush: "post" });
      this.mark();
    },
    entered() {
      if (this.at() >= 0) return;
      const top = this.grid.querySelector("thead").getBoundingClientRect().bottom;
      this.choose(this.drawn().find((row) => row.getBoundingClientRect().bottom > top));
    },
    pressed(event) {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      if (event.key === "Enter" || event.key === " ") this.open();
      else if (event.key in STEPS) this.go(this.at() + STEPS[event.key]);
      else return;
      event.preventDefault();
    },
    open() {
      const row = this.drawn().find((each) => named(each) === this.here);
      if (row) row.click();
      else this.go(this.at());
    },
    go(to) {
      const rows = this.quasar.computedRows;
      if (!rows.length) return;
      const at = Math.max(0, Math.min(to, rows.length - 1));
      this.here = this.sought = this.name(rows[at]);
      if (!this.drawn().some((row) => named(row) === this.here)) this.quasar.scrollTo(at);
      this.mark();
    },
    choose(row) {
      if (!row || !named(row)) return;
      this.here = named(row);
      this.mark();
    },
    mark() {
      const places = this.places();
      this.grid.setAttribute("aria-rowcount", places.size + 1);
      this.grid.removeAttribute("aria-activedescendant");
      for (const row of this.drawn()) {
        const is_here = named(row) === this.here;
        row.id ||= `t${this.table}-${named(row)}`;
        row.setAttribute("aria-rowindex", places.get(named(row)) + 2); // the headings are the first
        row.toggleAttribute("data-here", is_here);
        for (const each of row.querySelectorAll("a, button")) each.tabIndex = -1;
        if (is_here) this.grid.setAttribute("aria-activedescendant", row.id);
        if (is_here && this.sought === this.here) this.show(row);
      }
    },
    show(row) {
      this.sought = null;
      row.scrollIntoView({ block: "nearest" });
    },
    at() {
      return this.places().get(this.here) ?? -1;
    },
    places() {
      const rows = this.quasar.computedRows;
      if (rows !== this.rows) {
        this.rows = rows;
        this.placed = new Map(rows.map((row, place) => [this.name(row), place]));
      }
      return this.placed;
    },
    drawn() {
      return [...this.grid.querySelectorAll("tbody > tr")].filter(named);
    },
    name(row) {
      return `s-key-${encodeURIComponent(row[this.field])}`;
    },
  },
};

// The class that says which row this is; the table itself was told to give it.
function named(row) {
  return [...row.classList].find((each) => each.startsWith("s-key-"));
}
