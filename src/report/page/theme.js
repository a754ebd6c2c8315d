// Dark or light: as the system says, until the reader says otherwise.

const theme = {
  listeners: [],
  current: 'light',

  start() {
    const system = matchMedia('(prefers-color-scheme: dark)');
    let chosen = null;
    try {
      chosen = localStorage.getItem('tropic-theme');
    } catch {
      // Pages opened from files may have no storage; the choice then lasts as long as the page.
    }
    this.apply(chosen ?? (system.matches ? 'dark' : 'light'));
    system.addEventListener('change', () => {
      if (!chosen) this.apply(system.matches ? 'dark' : 'light');
    });
    byId('theme').addEventListener('click', () => {
      chosen = this.current === 'dark' ? 'light' : 'dark';
      try {
        localStorage.setItem('tropic-theme', chosen);
      } catch {
        // See above.
      }
      this.apply(chosen);
    });
  },

  apply(name) {
    this.current = name;
    document.documentElement.dataset.theme = name;
    byId('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
    byId('theme').setAttribute('aria-label', `Switch to ${name === 'dark' ? 'light' : 'dark'} colours`);
    for (const listener of this.listeners) listener();
  },

  onChange(listener) {
    this.listeners.push(listener);
  },

  // A colour of the style sheet, for drawing: '#rrggbb'.
  color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  },

  // The same as three numbers.
  channels(name) {
    const value = parseInt(this.color(name).slice(1), 16);
    return [value >> 16, (value >> 8) & 255, value & 255];
  },
};
