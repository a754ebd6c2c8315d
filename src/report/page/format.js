// Numbers as people read them, and elements of the page.

function grouped(number) {
  return Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

function threeDigits(number) {
  if (number === 0) return '0';
  if (number >= 999.5) return grouped(number);
  return String(Number(number.toPrecision(3)));
}

function withUnit(number, units, step) {
  let unit = 0;
  while (unit + 1 < units.length && number >= 0.9995 * step) {
    number /= step;
    ++unit;
  }
  return `${threeDigits(number)} ${units[unit]}`;
}

function timeText(seconds) {
  if (!(seconds > 0)) return '0 s';
  if (seconds < 0.9995) return withUnit(seconds * 1e9, ['ns', '\u00b5s', 'ms'], 1000);
  return `${threeDigits(seconds)} s`;
}

function bytesText(bytes) {
  return withUnit(bytes, ['B', 'KB', 'MB', 'GB', 'TB'], 1000);
}

// Memories come in powers of two.
function memoryText(bytes) {
  return bytes % 1024 === 0 && bytes > 0 ? `${grouped(bytes / 1024)} KiB` : `${grouped(bytes)} B`;
}

function percentText(share) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : '\u2013';
}

// In full where that is short.
function cyclesText(cycles) {
  return cycles < 1e7 ? `${grouped(cycles)} cycles` : `${withUnit(cycles, ['', 'k', 'M', 'G', 'T'], 1000)} cycles`;
}

function counted(count, one, many) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

// With a capital letter.
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function spaced(word) {
  return word.replaceAll('_', ' ');
}

// An element with attributes and children. Text is always set as text, never as markup.
function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'style') node.style.cssText = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
  return node;
}

function byId(id) {
  return document.getElementById(id);
}
