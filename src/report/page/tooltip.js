// The one box that follows the pointer.

const tooltip = {
  // Rows are [label, value] pairs under a title.
  show(x, y, title, rows, note) {
    const box = byId('tooltip');
    box.replaceChildren(
        element('strong', {}, title),
        element('dl', {}, rows.map(([label, value, color]) => [
          element('dt', color ? {class: 'swatch', style: `--swatch: var(--${color})`} : {}, label),
          element('dd', {}, value),
        ])),
        element('p', {}, note ?? ''));
    box.hidden = false;
    const gap = 14, margin = 8;
    const {width, height} = box.getBoundingClientRect();
    let left = x + gap;
    if (left + width > innerWidth - margin) left = x - gap - width;
    let top = y + gap;
    if (top + height > innerHeight - margin) top = y - gap - height;
    box.style.left = `${Math.max(margin, Math.min(left, innerWidth - width - margin))}px`;
    box.style.top = `${Math.max(margin, top)}px`;
  },

  hide() {
    byId('tooltip').hidden = true;
  },
};
