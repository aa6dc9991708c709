// The theme: what the reader chose, or else what the system shows; set before anything is painted.
const studium = {
  key: "studium-theme",
  system: matchMedia("(prefers-color-scheme: dark)"),

  theme() {
    return localStorage.getItem(this.key) ?? (this.system.matches ? "dark" : "light");
  },

  show() {
    const dark = this.theme() === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.style.colorScheme = dark ? "dark" : "light";
    window.Quasar?.Dark?.set(dark);
  },

  toggle() {
    localStorage.setItem(this.key, this.theme() === "dark" ? "light" : "dark");
    this.show();
  },
};

// A tab whose session was ended elsewhere cannot reconnect: it shows the login form instead.
setInterval(async () => {
  if (document.getElementById("popup")?.ariaHidden !== "false") return;
  const answer = await fetch("/_studium/favicon.svg", { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.status === 401) location.reload();
}, 2000);

studium.show();
studium.system.addEventListener("change", () => studium.show());
window.addEventListener("storage", () => studium.show());
document.addEventListener("DOMContentLoaded", () => studium.show());
