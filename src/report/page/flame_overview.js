// The strip above the flame graph: the whole run, the mean of all tiles stacked, with the part that
// is shown below marked. It can be dragged.

class FlameOverview {
  constructor(model, view, canvas) {
    this.model = model;
    this.view = view;
    this.canvas = canvas;
    this.means = new Map();
    this.listen();
  }

  // Exchange of the mean tile in one of a step's exchanges, which is the same each time.
  meanExchange(superstep, side) {
    const s = this.model.supersteps, phase = s[side][superstep];
    const exchange = this.model.steps[s.step[superstep]][side];
    if (!exchange) return 0;
    const known = this.means.get(exchange);
    if (known?.phase === phase) return known.mean;
    const mean = exchange.busy.reduce((sum, cycles) => sum + Math.min(cycles, phase), 0) / this.model.tiles;
    this.means.set(exchange, {phase, mean});
    return mean;
  }

  listen() {
    const move = event => {
      const box = this.canvas.getBoundingClientRect();
      const x = Math.max(0, Math.min(1, (event.clientX - box.left - this.left) / (box.width - this.left)));
      const wide = this.view.c1 - this.view.c0;
      const c0 = x * this.model.end - wide / 2;
      this.view.change({c0, c1: c0 + wide});
    };
    this.canvas.addEventListener('pointerdown', event => {
      this.canvas.setPointerCapture(event.pointerId);
      move(event);
    });
    this.canvas.addEventListener('pointermove', event => {
      if (event.buttons > 0) move(event);
    });
  }

  // The strip itself changes with the size and the colours only.
  render(width, height, left, ratio) {
    this.left = left;
    const {model} = this, s = model.supersteps;
    this.strip = document.createElement('canvas');
    this.strip.width = width * ratio;
    this.strip.height = height * ratio;
    const context = this.strip.getContext('2d');
    context.scale(ratio, ratio);
    const plot = width - left, columns = Math.max(1, Math.floor(plot));
    const share = {compute: new Float64Array(columns), exchange: new Float64Array(columns),
      sync: new Float64Array(columns), host: new Float64Array(columns)};
    const scale = columns / Math.max(1, model.end);
    for (let i = 0; i < s.count; ++i) {
      const compute = Math.min(s.busy[i] / model.tiles, s.compute[i]);
      const exchange = this.meanExchange(i, 'before') + this.meanExchange(i, 'after');
      const total = s.end[i] - s.start[i];
      const from = s.start[i] * scale, to = s.end[i] * scale;
      for (let x = Math.floor(from); x < to && x < columns; ++x) {
        const part = total > 0 ? (Math.min(to, x + 1) - Math.max(from, x)) / (to - from) * scale : 0;
        share.compute[x] += compute * part;
        share.exchange[x] += exchange * part;
        share.host[x] += s.host[i] * part;
        share.sync[x] += (total - compute - exchange - s.host[i]) * part;
      }
    }
    for (let x = 0; x < columns; ++x) {
      let y = height;
      for (const name of ['compute', 'exchange', 'host', 'sync']) {
        const size = Math.min(1, share[name][x]) * height;
        context.fillStyle = this.colors[name];
        context.fillRect(left + x * plot / columns, y - size, plot / columns + 0.5, size);
        y -= size;
      }
    }
  }

  draw(width, height, left, ratio) {
    const key = `${width} ${height} ${left} ${ratio} ${theme.current}`;
    if (key !== this.key) {
      this.key = key;
      this.colors = Object.fromEntries(
          ['compute', 'exchange', 'host', 'sync'].map(name => [name, theme.color(name)]));
      this.render(width, height, left, ratio);
    }
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext('2d');
    context.drawImage(this.strip, 0, 0);
    context.scale(ratio, ratio);
    const plot = width - left, end = Math.max(1, this.model.end);
    const from = left + this.view.c0 / end * plot;
    const to = Math.max(from + 2, left + this.view.c1 / end * plot);
    context.fillStyle = theme.color('shade');
    context.globalAlpha = 0.6;
    context.fillRect(left, 0, from - left, height);
    context.fillRect(to, 0, width - to, height);
    context.globalAlpha = 1;
    context.strokeStyle = theme.color('text');
    context.lineWidth = 1.5;
    context.strokeRect(from + 0.75, 0.75, Math.max(1, to - from - 1.5), height - 1.5);
  }
}
