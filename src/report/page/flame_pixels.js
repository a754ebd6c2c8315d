// The pixels of the flame graph. Each pixel stands for a stretch of time on one tile or several and
// takes the mean colour of what they did in it: exact at every zoom, as every edge of a pixel is
// looked up in the sums of the model, and as fast with a thousand supersteps on a pixel as with one.

class FlamePixels {
  constructor(model) {
    this.model = model;
    const s = model.supersteps;
    // Sums that are the same for every tile.
    this.coveredBefore = prefix(s.start.map((start, i) => s.end[i] - start));
    this.hostBefore = prefix(s.host);
    this.slowestCompute = prefix(s.compute);
    this.slowestExchange = prefix(s.before.map((cycles, i) => cycles + s.after[i]));
    this.columns = 0;
  }

  // What every tile needs to know about the edges of the columns.
  layOut(width, c0, c1) {
    if (this.columns !== width) {
      this.columns = width;
      const edges = width + 1;
      this.at = new Int32Array(edges);
      for (const name of ['computeOffset', 'beforeOffset', 'afterOffset', 'covered', 'host', 'tailCompute',
        'tailExchange']) {
        this[name] = new Float64Array(edges);
      }
      this.strength = new Float64Array(width);
      this.base = new Float64Array(3 * width);
      this.compute = new Float64Array(width);
      this.exchange = new Float64Array(width);
    }
    const {model} = this, s = model.supersteps, detail = model.detail;
    const clamp = (value, most) => value < 0 ? 0 : value < most ? value : most;
    let i = model.superstepAt(c0);
    for (let x = 0; x <= width; ++x) {
      const cycle = c0 + (c1 - c0) * x / width;
      while (i + 1 < s.count && s.start[i + 1] <= cycle) ++i;
      this.at[x] = i;
      this.computeOffset[x] = cycle - s.computeStart[i];
      this.beforeOffset[x] = cycle - s.beforeStart[i];
      this.afterOffset[x] = cycle - s.afterStart[i];
      this.covered[x] = this.coveredBefore[i] + clamp(cycle - s.start[i], s.end[i] - s.start[i]);
      this.host[x] = this.hostBefore[i] + clamp(cycle - s.hostStart[i], s.host[i]);
      if (i >= detail) {
        this.tailCompute[x] = this.slowestCompute[i] - this.slowestCompute[detail] +
            clamp(this.computeOffset[x], s.compute[i]);
        this.tailExchange[x] = this.slowestExchange[i] - this.slowestExchange[detail] +
            clamp(this.beforeOffset[x], s.before[i]) + clamp(this.afterOffset[x], s.after[i]);
      }
    }
  }

  // Adds what one tile does in each column.
  addTile(tile) {
    const {model, at, compute, exchange, columns} = this;
    const {computeOffset, beforeOffset, afterOffset, tailCompute, tailExchange} = this;
    const {computeBefore, exchangeBefore, detail, supersteps, steps} = model;
    const base = tile * model.stride;
    let last = -1, c0 = 0, own = 0, e0 = 0, before = 0, after = 0;
    let previousCompute = 0, previousExchange = 0;
    for (let x = 0; x <= columns; ++x) {
      const i = at[x];
      if (i !== last) {
        last = i;
        if (i < detail) {
          c0 = computeBefore[base + i];
          own = computeBefore[base + i + 1] - c0;
          e0 = exchangeBefore[base + i];
          before = exchangeBefore[base + i + 1] - e0;
          after = 0;
          if (before > 0) {
            const step = steps[supersteps.step[i]];
            if (step.after) {
              const both = before;
              before = step.before ? Math.min(step.before.busy[tile], supersteps.before[i]) : 0;
              after = both - before;
            }
          }
        } else {
          c0 = computeBefore[base + detail];
          e0 = exchangeBefore[base + detail];
        }
      }
      let c = c0, e = e0;
      if (i < detail) {
        const offset = computeOffset[x];
        c += offset <= 0 ? 0 : offset < own ? offset : own;
        if (before > 0) {
          const within = beforeOffset[x];
          e += within <= 0 ? 0 : within < before ? within : before;
        }
        if (after > 0) {
          const within = afterOffset[x];
          e += within <= 0 ? 0 : within < after ? within : after;
        }
      } else {
        c += tailCompute[x];
        e += tailExchange[x];
      }
      if (x > 0) {
        compute[x - 1] += c - previousCompute;
        exchange[x - 1] += e - previousExchange;
      }
      previousCompute = c;
      previousExchange = e;
    }
  }

  // The colours of the columns as if every tile only waited. What a tile computes and exchanges is
  // then a shift from there, the same for each of its cycles.
  colorColumns(cyclesPerPixel, palette) {
    const {host, covered, at, base, strength, columns} = this;
    for (let x = 0; x < columns; ++x) {
      const all = (covered[x + 1] - covered[x]) / cyclesPerPixel;
      const waits = all - (host[x + 1] - host[x]) / cyclesPerPixel;
      // Beyond the detail colours are paler: they are the slowest tile's, not this one's.
      const strong = at[x] >= this.model.detail ? 0.45 : 1;
      strength[x] = strong / cyclesPerPixel;
      for (let channel = 0; channel < 3; ++channel) {
        base[3 * x + channel] = strong * (waits * palette.sync[channel] + (all - waits) * palette.host[channel]) +
            (1 - strong * all) * palette.background[channel] + 0.5; // rounds when cut
      }
    }
  }

  // Colours of one row of pixels from what `tiles` tiles did.
  colorRow(out, offset, tiles, palette) {
    const {compute, exchange, base, strength, columns} = this;
    const shift = name => palette[name].map((value, channel) => value - palette.sync[channel]);
    const [cr, cg, cb] = shift('compute'), [er, eg, eb] = shift('exchange');
    for (let x = 0, k = 0; x < columns; ++x, k += 3) {
      const scale = strength[x] / tiles;
      const c = compute[x] * scale, e = exchange[x] * scale;
      const r = base[k] + c * cr + e * er | 0;
      const g = base[k + 1] + c * cg + e * eg | 0;
      const b = base[k + 2] + c * cb + e * eb | 0;
      out[offset + x] = 0xff000000 | b << 16 | g << 8 | r;
    }
  }

  // Draws tiles t0 to t1 and cycles c0 to c1; of the tiles that share a row of pixels at most
  // `tilesPerRow` are looked at, evenly spread.
  draw(image, {c0, c1, t0, t1}, palette, tilesPerRow) {
    const {width, height} = image;
    const out = new Uint32Array(image.data.buffer);
    if (this.model.supersteps.count === 0 || width === 0 || height === 0) return;
    this.layOut(width, c0, c1);
    this.colorColumns((c1 - c0) / width, palette);
    const tilesPerPixel = (t1 - t0) / height;
    let drawn = -1;
    for (let y = 0; y < height; ++y) {
      const first = Math.min(this.model.tiles - 1, Math.floor(t0 + y * tilesPerPixel));
      const behind = Math.max(first + 1, Math.min(this.model.tiles, Math.floor(t0 + (y + 1) * tilesPerPixel)));
      if (behind === first + 1 && first === drawn) {
        out.copyWithin(y * width, (y - 1) * width, y * width);
        continue;
      }
      const count = behind - first;
      const looked = Math.min(count, tilesPerRow);
      this.compute.fill(0);
      this.exchange.fill(0);
      for (let k = 0; k < looked; ++k) this.addTile(first + Math.floor(k * count / looked));
      this.colorRow(out, y * width, looked, palette);
      drawn = count === 1 ? first : -1;
    }
  }
}
