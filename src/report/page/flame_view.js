// The part of the run that the flame graph shows: cycles c0 to c1 of tiles t0 to t1.

class FlameView {
  constructor(model, onChange) {
    this.model = model;
    this.onChange = onChange;
    this.animation = 0;
    this.set(this.withoutHost());
  }

  // From the first superstep that does not wait for the host to the last: copies at both ends often
  // take longer than all the rest.
  withoutHost() {
    const s = this.model.supersteps;
    let first = 0, last = s.count - 1;
    while (first < s.count && s.host[first] > 0) ++first;
    while (last > first && s.host[last] > 0) --last;
    const whole = this.whole();
    if (first >= s.count) return whole;
    const c0 = first === 0 ? 0 : s.start[first], c1 = last === s.count - 1 ? whole.c1 : s.end[last];
    return {...whole, c0, c1};
  }

  hasHostEnds() {
    const whole = this.whole(), inner = this.withoutHost();
    return inner.c0 > whole.c0 || inner.c1 < whole.c1;
  }

  whole() {
    return {c0: 0, c1: Math.max(1, this.model.end), t0: 0, t1: this.model.tiles};
  }

  // Keeps the view inside the run and no finer than a few cycles and one tile.
  fitted({c0, c1, t0, t1}) {
    const whole = this.whole();
    const fit = (low, high, least, most) => {
      const size = Math.max(least, Math.min(high - low, most));
      const start = Math.max(0, Math.min(low, most - size));
      return [start, start + size];
    };
    const [cycle, lastCycle] = fit(c0, c1, Math.min(16, whole.c1), whole.c1);
    const [tile, lastTile] = fit(t0, t1, Math.min(1, whole.t1), whole.t1);
    return {c0: cycle, c1: lastCycle, t0: tile, t1: lastTile};
  }

  set(target) {
    Object.assign(this, this.fitted(target));
  }

  change(target) {
    cancelAnimationFrame(this.animation);
    this.set({...this.bounds(), ...target});
    this.onChange();
  }

  bounds() {
    return {c0: this.c0, c1: this.c1, t0: this.t0, t1: this.t1};
  }

  // Goes there smoothly, unless the reader prefers no motion.
  go(target) {
    cancelAnimationFrame(this.animation);
    const from = this.bounds(), to = {...from, ...target};
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.change(to);
      return;
    }
    const begin = performance.now(), duration = 220;
    const frame = now => {
      const x = Math.min(1, (now - begin) / duration);
      const eased = 1 - (1 - x) ** 3;
      const at = {};
      for (const key of ['c0', 'c1', 't0', 't1']) at[key] = from[key] + (to[key] - from[key]) * eased;
      this.set(x === 1 ? to : at);
      this.onChange();
      if (x < 1) this.animation = requestAnimationFrame(frame);
    };
    this.animation = requestAnimationFrame(frame);
  }

  // Zooms by a factor, keeping what lies at (cycle, tile) where it is.
  zoom(factor, cycle, tileFactor = 1, tile = 0) {
    this.change({
      c0: cycle - (cycle - this.c0) * factor,
      c1: cycle + (this.c1 - cycle) * factor,
      t0: tile - (tile - this.t0) * tileFactor,
      t1: tile + (this.t1 - tile) * tileFactor,
    });
  }

  pan(cycles, tiles) {
    this.change({c0: this.c0 + cycles, c1: this.c1 + cycles, t0: this.t0 + tiles, t1: this.t1 + tiles});
  }

  superstepBounds(superstep) {
    const s = this.model.supersteps;
    const margin = 0.04 * Math.max(1, s.end[superstep] - s.start[superstep]);
    return {c0: s.start[superstep] - margin, c1: s.end[superstep] + margin};
  }

  tileBounds(tile) {
    return {t0: tile - 4, t1: tile + 5};
  }

  // Brings a superstep and a tile into view without changing the zoom.
  reveal(superstep, tile) {
    const s = this.model.supersteps;
    const wide = this.c1 - this.c0, high = this.t1 - this.t0;
    const target = {};
    if (s.end[superstep] < this.c0 || s.start[superstep] > this.c1) {
      target.c0 = (s.start[superstep] + s.end[superstep] - wide) / 2;
      target.c1 = target.c0 + wide;
    }
    if (tile < this.t0 || tile + 1 > this.t1) {
      target.t0 = tile + 0.5 - high / 2;
      target.t1 = target.t0 + high;
    }
    if (Object.keys(target).length > 0) this.change(target);
  }
}
