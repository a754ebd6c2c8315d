// Pointer, wheel, fingers and keys of the flame graph.

Flame.prototype.listen = function() {
  const {canvas} = this;
  const fingers = new Map();
  let drag = null; // {x, y, view, box, moved}

  const perPixel = () => ({
    cycles: (this.view.c1 - this.view.c0) / this.area.width,
    tiles: (this.view.t1 - this.view.t0) / this.area.height,
  });
  const inCanvas = event => {
    const box = canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  };

  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, event);
    canvas.setPointerCapture(event.pointerId);
    drag = {x: event.clientX, y: event.clientY, view: this.view.bounds(), box: event.shiftKey, moved: false};
  });

  canvas.addEventListener('pointermove', event => {
    if (!fingers.has(event.pointerId)) {
      this.hover(event);
      return;
    }
    const before = fingers.get(event.pointerId);
    if (fingers.size === 2) {
      const other = [...fingers.values()].find(finger => finger.pointerId !== event.pointerId);
      const distance = finger => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
      const place = this.at(other);
      if (place && distance(event) > 0) {
        const factor = distance(before) / distance(event);
        this.view.zoom(factor, place.cycle, factor, place.tilePosition);
      }
      drag = null;
    } else if (drag) {
      const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
      if (Math.abs(dx) + Math.abs(dy) > 4) drag.moved = true;
      if (drag.moved && drag.box) {
        const start = inCanvas({clientX: drag.x, clientY: drag.y});
        this.box = {x: Math.min(start.x, start.x + dx), y: Math.min(start.y, start.y + dy),
          w: Math.abs(dx), h: Math.abs(dy)};
        this.compose();
      } else if (drag.moved) {
        tooltip.hide();
        this.hovered = null;
        const {cycles, tiles} = perPixel();
        const {c0, c1, t0, t1} = drag.view;
        this.view.change({c0: c0 - dx * cycles, c1: c1 - dx * cycles, t0: t0 - dy * tiles, t1: t1 - dy * tiles});
      }
    }
    fingers.set(event.pointerId, event);
  });

  const finish = event => {
    fingers.delete(event.pointerId);
    if (drag?.box && this.box) {
      const {cycles, tiles} = perPixel();
      const {x, y, w, h} = this.box;
      const c0 = this.view.c0 + (x - this.area.left) * cycles, t0 = this.view.t0 + (y - this.area.top) * tiles;
      this.box = null;
      this.view.go({c0, c1: c0 + w * cycles, t0, t1: t0 + Math.max(1, h * tiles)});
    } else if (drag && !drag.moved && event.type === 'pointerup') {
      const place = this.at(event);
      if (place) this.select(place.tile, place.superstep);
    }
    drag = null;
  };
  canvas.addEventListener('pointerup', finish);
  canvas.addEventListener('pointercancel', finish);
  canvas.addEventListener('pointerleave', () => this.hover(null));

  canvas.addEventListener('dblclick', event => {
    const place = this.at(event);
    if (!place) return;
    const target = this.view.fitted({...this.view.bounds(), ...this.view.superstepBounds(place.superstep)});
    const near = (a, b) => Math.abs(a - b) <= 0.02 * (target.c1 - target.c0);
    if (near(this.view.c0, target.c0) && near(this.view.c1, target.c1)) {
      Object.assign(target, this.view.tileBounds(place.tile));
    }
    this.view.go(target);
  });

  // A wheel alone scrolls the page; with Ctrl, or once the graph has the focus, it zooms.
  canvas.addEventListener('wheel', event => {
    const zooms = event.ctrlKey || event.metaKey || event.altKey || document.activeElement === canvas;
    if (!zooms && !event.shiftKey) return;
    const place = this.at(event);
    if (!place) return;
    event.preventDefault();
    const amount = event.deltaY || event.deltaX;
    if (event.shiftKey) {
      this.view.pan(amount * perPixel().cycles, 0);
      return;
    }
    const factor = Math.exp(Math.max(-240, Math.min(240, amount)) * 0.0025);
    if (event.altKey) this.view.zoom(1, place.cycle, factor, place.tilePosition);
    else this.view.zoom(factor, place.cycle);
    this.hover(event);
  }, {passive: false});

  canvas.addEventListener('keydown', event => {
    if (this.model.supersteps.count === 0 || event.ctrlKey || event.metaKey) return;
    const last = {tile: this.model.tiles - 1, superstep: this.model.supersteps.count - 1};
    const now = this.selected ?? {
      tile: Math.floor(this.view.t0), superstep: this.model.superstepAt((this.view.c0 + this.view.c1) / 2),
    };
    const stride = event.shiftKey ? 10 : 1;
    const move = (tiles, supersteps) => this.select(
        Math.max(0, Math.min(last.tile, now.tile + tiles)),
        Math.max(0, Math.min(last.superstep, now.superstep + supersteps)));
    const s = this.model.supersteps;
    const middle = (s.start[now.superstep] + s.end[now.superstep]) / 2;
    const actions = {
      ArrowLeft: () => move(0, -stride),
      ArrowRight: () => move(0, stride),
      ArrowUp: () => move(-stride, 0),
      ArrowDown: () => move(stride, 0),
      Home: () => this.select(now.tile, 0),
      End: () => this.select(now.tile, last.superstep),
      '+': () => this.view.zoom(0.5, middle),
      '=': () => this.view.zoom(0.5, middle),
      '-': () => this.view.zoom(2, middle),
      Enter: () => event.shiftKey ? this.zoomToTile() : this.zoomToSuperstep(),
      0: () => this.view.go(this.view.whole()),
      9: () => this.view.go(this.view.withoutHost()),
      Escape: () => this.view.go(this.view.whole()),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
};
