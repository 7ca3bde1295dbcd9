// Run before anything is drawn, so that a page in the dark theme never flashes white.
(() => {
  try {
    const theme = localStorage.getItem("ludoteca.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // site data are blocked, so the page has the system's theme
  }
})();
