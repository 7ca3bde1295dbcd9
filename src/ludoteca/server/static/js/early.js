// Run before anything is drawn, so that a page in the dark theme never flashes white.
(() => {
  const theme = localStorage.getItem("ludoteca.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
