// The flame graph: tiles down, cycles across. Puts the pixels, the axes, the overview and the
// controls together and listens to pointer and keys.

class Flame {
  constructor(model, parent) {
    this.model = model;
    this.selected = null; // {tile, superstep}
    this.hovered = null;
    this.pixels = new FlamePixels(model);
    this.plot = document.createElement('canvas');
    this.view = new FlameView(model, () => this.changed());
    this.build(parent);
    this.overview = new FlameOverview(model, this.view, this.overviewCanvas);
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(this.canvas.parentElement);
    theme.onChange(() => this.redraw());
  }

  build(parent) {
    const button = (label, hint, action) =>
        element('button', {type: 'button', class: 'button', title: hint, onclick: action}, label);
    const last = this.model.supersteps.count - 1;
    const number = (name, most, change) => element('input', {
      type: 'number', min: '0', max: String(most), id: `flame-${name}`, inputmode: 'numeric',
      onchange: event => {
        const value = Math.round(Number(event.target.value));
        if (event.target.value !== '' && Number.isFinite(value)) change(Math.max(0, Math.min(most, value)));
      },
    });
    this.tileInput = number('tile', this.model.tiles - 1,
        tile => this.select(tile, this.selected?.superstep ?? 0));
    this.superstepInput = number('superstep', last,
        superstep => this.select(this.selected?.tile ?? 0, superstep));
    const middle = () => (this.view.c0 + this.view.c1) / 2;
    const group = (...parts) => element('span', {class: 'group'}, ...parts);
    parent.append(
        element('div', {class: 'toolbar', role: 'toolbar', 'aria-label': 'Flame graph'},
            group(button('Whole run', 'Key 0', () => this.view.go(this.view.whole())),
                this.view.hasHostEnds() ? button('Without host',
                    'Leave out the copies from and to the host at the ends: key 9',
                    () => this.view.go(this.view.withoutHost())) : null,
                button('+', 'Zoom in: key +', () => this.view.zoom(0.5, middle())),
                button('\u2212', 'Zoom out: key \u2212', () => this.view.zoom(2, middle()))),
            group(element('label', {}, 'Superstep ', this.superstepInput),
                button('Zoom', 'Zoom to this superstep: Enter', () => this.zoomToSuperstep())),
            group(element('label', {}, 'Tile ', this.tileInput),
                button('Zoom', 'Zoom to this tile: Shift and Enter', () => this.zoomToTile()))),
        this.overviewCanvas = element('canvas', {class: 'overview', 'aria-hidden': 'true'}),
        element('div', {class: 'flame-plot'}, this.canvas = element('canvas', {
          id: 'flame-canvas', tabindex: '0', role: 'application', 'aria-describedby': 'flame-help',
          'aria-label': 'Flame graph. Arrow keys go from tile to tile and from superstep to superstep.',
        })),
        element('p', {class: 'help for-fingers'}, 'Drag to move, pinch to zoom, tap for the figures.'),
        element('p', {class: 'help for-mouse', id: 'flame-help'},
            'Drag to move, Ctrl and wheel (Alt: tiles) to zoom, Shift and drag to zoom to a box, ' +
            'double click for one superstep, again for its tile. Keys: arrows, +, \u2212, Enter, 0.'),
        this.panel = element('div', {class: 'details', id: 'flame-details', 'aria-live': 'polite'}));
    this.showPanel();
  }

  // --- geometry ----------------------------------------------------------------------------------

  measure() {
    const box = this.canvas.parentElement.getBoundingClientRect();
    const narrow = box.width < 600;
    const left = narrow ? 38 : 46, lane = 20, axis = 24;
    const lanes = this.model.spans.length > 0 ? 2 * (lane + 2) : lane + 2;
    const height = narrow ? 380 : Math.max(360, Math.min(620, Math.round(innerHeight * 0.58)));
    this.size = {width: Math.floor(box.width), height, ratio: devicePixelRatio || 1};
    this.area = {left, top: lanes, width: Math.max(1, Math.floor(box.width) - left), height: height - lanes - axis};
    this.scopeLane = {left, top: 0, width: this.area.width, height: lane};
    this.stepLane = {...this.scopeLane, top: lanes - lane - 2};
  }

  // The place under a point of the canvas; null outside of the tiles.
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left - this.area.left, y = event.clientY - box.top - this.area.top;
    if (x < 0 || x >= this.area.width || y < 0 || y >= this.area.height) return null;
    if (this.model.supersteps.count === 0) return null;
    const {c0, c1, t0, t1} = this.view;
    const cycle = c0 + x / this.area.width * (c1 - c0);
    const tile = t0 + y / this.area.height * (t1 - t0);
    return {cycle, tilePosition: tile, tile: Math.min(this.model.tiles - 1, Math.floor(tile)),
      superstep: this.model.superstepAt(cycle)};
  }

  // Where a tile and a superstep are in the canvas.
  boxOf(tile, superstep) {
    const s = this.model.supersteps, {c0, c1, t0, t1} = this.view, a = this.area;
    const x = cycle => a.left + (cycle - c0) / (c1 - c0) * a.width;
    const y = t => a.top + (t - t0) / (t1 - t0) * a.height;
    return {x0: x(s.start[superstep]), x1: x(s.end[superstep]), y0: y(tile), y1: y(tile + 1)};
  }

  // --- drawing -----------------------------------------------------------------------------------

  redraw() {
    if (this.canvas.parentElement.clientWidth === 0) return; // not laid out
    this.measure();
    this.palette = {};
    for (const name of ['compute', 'exchange', 'sync', 'host', 'background']) {
      this.palette[name] = theme.channels(name === 'background' ? 'surface' : name);
    }
    this.colors = {};
    for (const name of ['text', 'muted', 'line', 'lane', 'block', 'surface']) this.colors[name] = theme.color(name);
    this.render(false);
  }

  // While something moves frames are drawn at one pixel for one and look at one tile a row; a
  // moment later the same is drawn in full.
  changed() {
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.render(true);
      });
    }
    clearTimeout(this.settled);
    this.settled = setTimeout(() => this.render(false), 160);
  }

  render(moving) {
    if (!this.area) return;
    const ratio = moving ? 1 : this.size.ratio;
    const width = Math.round(this.area.width * ratio), height = Math.round(this.area.height * ratio);
    if (this.plot.width !== width || this.plot.height !== height || !this.image) {
      this.plot.width = width;
      this.plot.height = height;
      this.image = this.plot.getContext('2d').createImageData(width, height);
    }
    this.pixels.draw(this.image, this.view, this.palette, moving ? 1 : 64);
    this.plot.getContext('2d').putImageData(this.image, 0, 0);
    this.overview.draw(this.size.width, 46, this.area.left, this.size.ratio);
    this.compose();
  }

  compose() {
    const {width, height, ratio} = this.size, {area, canvas, colors} = this;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = `${height}px`;
    }
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.plot, area.left, area.top, area.width, area.height);
    context.font = '12px system-ui, sans-serif';
    context.lineWidth = 1;
    drawScopeLane(context, this.scopeLane, this.view, this.model, colors);
    drawStepLane(context, this.stepLane, this.view, this.model, colors);
    drawCycleAxis(context, {left: area.left, top: area.top + area.height, width: area.width}, this.view, colors);
    drawTileAxis(context, area, this.view, this.model, colors);
    this.drawMarks(context);
  }

  drawMarks(context) {
    const {area} = this;
    context.save();
    context.beginPath();
    context.rect(area.left, area.top, area.width, area.height);
    context.clip();
    const high = area.height / (this.view.t1 - this.view.t0);
    if (high >= 9) {
      context.fillStyle = this.colors.surface;
      for (let t = Math.ceil(this.view.t0); t < this.view.t1; ++t) {
        context.fillRect(area.left, Math.round(area.top + (t - this.view.t0) * high), area.width, 1);
      }
    }
    for (const [mark, width] of [[this.hovered, 1], [this.selected, 2]]) {
      if (!mark) continue;
      const {x0, x1, y0, y1} = this.boxOf(mark.tile, mark.superstep);
      // Never so thin that it cannot be seen, and readable on every colour.
      const w = Math.max(3, x1 - x0), h = Math.max(3, y1 - y0);
      context.strokeStyle = this.colors.surface;
      context.lineWidth = width + 2;
      context.strokeRect(x0, y0, w, h);
      context.strokeStyle = this.colors.text;
      context.lineWidth = width;
      context.strokeRect(x0, y0, w, h);
    }
    if (this.box) {
      context.strokeStyle = this.colors.text;
      context.lineWidth = 1;
      context.setLineDash([4, 3]);
      const {x, y, w, h} = this.box;
      context.strokeRect(x, y, w, h);
    }
    context.restore();
  }

  // --- selecting ---------------------------------------------------------------------------------

  select(tile, superstep) {
    if (this.model.supersteps.count === 0) return;
    this.selected = {tile, superstep};
    this.tileInput.value = String(tile);
    this.superstepInput.value = String(superstep);
    this.view.reveal(superstep, tile);
    this.showPanel();
    this.compose();
    this.onSelect?.(tile);
  }

  showPanel() {
    if (!this.selected) {
      this.panel.replaceChildren(element('p', {class: 'muted'},
          'Click into the graph, or use the fields above, to see the figures of one tile in one superstep here.'));
      return;
    }
    const {tile, superstep} = this.selected;
    const step = this.model.steps[this.model.supersteps.step[superstep]];
    this.panel.replaceChildren(
        element('h3', {}, [...step.path, superstepTitle(this.model, superstep)].join(' / ')),
        element('dl', {class: 'figures-list'}, superstepFigures(this.model, tile, superstep).map(
            ([label, value, color]) => element('div', {},
                element('dt', color ? {class: 'swatch', style: `--swatch: var(--${color})`} : {}, sentence(label.trim())),
                element('dd', {}, value)))));
  }

  zoomToSuperstep() {
    const superstep = this.selected?.superstep ?? Number(this.superstepInput.value || 0);
    if (this.model.supersteps.count > 0) this.view.go(this.view.superstepBounds(superstep));
  }

  zoomToTile() {
    this.view.go(this.view.tileBounds(this.selected?.tile ?? Number(this.tileInput.value || 0)));
  }

  hover(event) {
    const place = event && this.at(event);
    this.hovered = place;
    this.compose();
    if (!place) {
      tooltip.hide();
      return;
    }
    const activity = activityAt(this.model, place.tile, place.superstep, place.cycle);
    const title = superstepTitle(this.model, place.superstep);
    const names = {compute: 'computing', exchange: 'exchanging', sync: 'waiting for sync', host: 'waiting for the host',
      idle: 'nothing recorded'};
    const note = place.superstep >= this.model.detail ? 'Figures of the slowest tile.' : null;
    tooltip.show(event.clientX, event.clientY, `${title}: ${names[activity]}`,
        superstepFigures(this.model, place.tile, place.superstep), note);
  }
}
