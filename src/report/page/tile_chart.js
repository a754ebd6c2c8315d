// Stacked columns, one for each tile from left to right, with a line at a limit. Where several
// tiles share a pixel the highest of them is shown: what is nearest to a limit must not get lost.

class TileChart {
  // series: {name, color, values}; label(value) for the axis; about(tile) -> rows for the pointer.
  constructor(parent, {title, series, most, limit, label, about, order, onSelect, selectable = true}) {
    Object.assign(this, {series, most, limit, label, about, onSelect});
    this.tiles = series[0].values.length;
    this.total = Float64Array.from({length: this.tiles}, (_, t) => series.reduce((sum, one) => sum + one.values[t], 0));
    this.selected = -1;
    this.setOrder(order);
    this.canvas = element('canvas', {
      class: 'tile-chart', tabindex: selectable ? '0' : null, role: 'img',
      'aria-label': `${title}. Arrow keys go from tile to tile.`,
    });
    parent.append(this.canvas);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(parent);
    theme.onChange(() => this.draw());
  }

  // The tile at each place from left to right; as they are numbered if null.
  setOrder(order) {
    this.order = order ?? Uint32Array.from({length: this.tiles}, (_, t) => t);
    this.place = new Uint32Array(this.tiles);
    this.order.forEach((tile, place) => {
      this.place[tile] = place;
    });
    this.sorted = Boolean(order);
  }

  listen() {
    const tileAt = event => {
      const x = event.clientX - this.canvas.getBoundingClientRect().left - this.left;
      if (x < 0 || x >= this.width) return -1;
      return this.highest(Math.floor(x));
    };
    this.canvas.addEventListener('pointermove', event => {
      const tile = tileAt(event);
      this.hovered = tile;
      this.draw();
      if (tile < 0) tooltip.hide();
      else tooltip.show(event.clientX, event.clientY, `Tile ${tile}`, this.about(tile));
    });
    this.canvas.addEventListener('pointerleave', () => {
      this.hovered = -1;
      this.draw();
      tooltip.hide();
    });
    this.canvas.addEventListener('click', event => {
      const tile = tileAt(event);
      if (tile >= 0) this.select(tile, true);
    });
    this.canvas.addEventListener('keydown', event => {
      const step = {ArrowLeft: -1, ArrowRight: 1, ArrowDown: -10, ArrowUp: 10}[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const place = this.selected < 0 ? 0 : this.place[this.selected] + step;
      this.select(this.order[Math.max(0, Math.min(this.tiles - 1, place))], true);
    });
  }

  select(tile, tell) {
    this.selected = tile;
    this.draw();
    if (tell) this.onSelect?.(tile);
  }

  // The highest of the tiles that share a column of pixels.
  highest(x) {
    const first = Math.min(this.tiles - 1, Math.floor(x * this.tiles / this.width));
    const behind = Math.max(first + 1, Math.floor((x + 1) * this.tiles / this.width));
    let best = this.order[first];
    for (let place = first + 1; place < behind; ++place) {
      if (this.total[this.order[place]] > this.total[best]) best = this.order[place];
    }
    return best;
  }

  draw() {
    const box = this.canvas.parentElement.getBoundingClientRect();
    const ratio = devicePixelRatio || 1, height = 210;
    const width = Math.floor(box.width);
    if (width <= 0) return;
    this.left = 58;
    this.width = Math.max(1, width - this.left - 1);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext('2d');
    context.scale(ratio, ratio);
    context.font = '12px system-ui, sans-serif';
    const top = 10, bottom = height - 22, high = bottom - top;
    const y = value => bottom - Math.min(1, value / this.most) * high;
    this.drawGrid(context, y, width);
    const colors = this.series.map(one => theme.color(one.color));
    for (let x = 0; x < this.width; ++x) {
      const tile = this.highest(x);
      let sum = 0;
      this.series.forEach((one, k) => {
        const from = y(sum);
        sum += one.values[tile];
        context.fillStyle = colors[k];
        context.fillRect(this.left + x, y(sum), 1.01, from - y(sum));
      });
    }
    if (this.limit) this.drawLimit(context, y(this.limit), width);
    for (const tile of [this.hovered ?? -1, this.selected]) {
      if (tile >= 0) this.drawMark(context, tile, top, high);
    }
    this.drawTiles(context, bottom);
  }

  drawGrid(context, y, width) {
    const step = niceStep(this.most, 4);
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (let value = 0; value <= this.most * 1.0001; value += step) {
      const at = Math.round(y(value)) + 0.5;
      context.strokeStyle = theme.color('line');
      context.beginPath();
      context.moveTo(this.left, at);
      context.lineTo(width, at);
      context.stroke();
      context.fillStyle = theme.color('muted');
      context.fillText(this.label(value), this.left - 8, at);
    }
  }

  drawLimit(context, at, width) {
    context.strokeStyle = theme.color('text');
    context.lineWidth = 1.5;
    context.setLineDash([6, 4]);
    context.beginPath();
    context.moveTo(this.left, Math.round(at) + 0.5);
    context.lineTo(width, Math.round(at) + 0.5);
    context.stroke();
    context.setLineDash([]);
    context.lineWidth = 1;
  }

  drawMark(context, tile, top, high) {
    const x = this.left + this.place[tile] * this.width / this.tiles;
    const wide = Math.max(2, this.width / this.tiles);
    context.strokeStyle = theme.color('text');
    context.strokeRect(x - 0.5, top, wide + 1, high);
  }

  drawTiles(context, bottom) {
    context.fillStyle = theme.color('muted');
    context.textBaseline = 'top';
    if (this.sorted) {
      context.textAlign = 'left';
      context.fillText('most busy', this.left, bottom + 6);
      context.textAlign = 'right';
      context.fillText('least busy', this.left + this.width, bottom + 6);
      return;
    }
    const step = Math.max(1, niceStep(this.tiles, this.width / 90));
    for (let tile = 0; tile < this.tiles; tile += step) {
      const x = this.left + (tile + 0.5) * this.width / this.tiles;
      context.textAlign = tile === 0 ? 'left' : 'center';
      if (x < this.left + this.width - 16) context.fillText(String(tile), tile === 0 ? this.left : x, bottom + 6);
    }
  }
}
