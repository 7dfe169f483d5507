// A search over entities of a large graph; an entity that is found opens what is around it.
const MOST_FOUND = 60;
const MOST_DRAWN = 18;
const MOST_LISTED = 120;

class Neighbourhoods {
  constructor(figure, data) {
    this.figure = figure;
    this.data = data;
    this.lower = data.vertices.slice(0, data.searchable).map(text => text.toLowerCase());
    this.index();
    this.box = figure.querySelector('.search');
    this.box.hidden = false;
    this.box.addEventListener('input', () => this.find(this.box.value));
    this.box.addEventListener('keydown', event => {
      if (event.key === 'Enter' && this.found.length) this.open(this.found[0]);
    });
    this.find('');
    if (data.searchable) this.open(0);
  }

  // The triples of each vertex, by position.
  index() {
    this.of = new Map();
    const {triples} = this.data;
    for (let i = 0; i < triples.length; i += 3) {
      for (const v of new Set([triples[i], triples[i + 2]])) {
        if (v >= this.data.searchable) continue;
        if (!this.of.has(v)) this.of.set(v, []);
        this.of.get(v).push(i);
      }
    }
  }

  find(text) {
    const wanted = text.trim().toLowerCase();
    this.found = [];
    for (let v = 0; v < this.lower.length; v += 1) if (this.lower[v].includes(wanted)) this.found.push(v);
    const shown = this.found.slice(0, MOST_FOUND);
    this.figure.querySelector('.found').replaceChildren(...shown.map(v => el('li', {}, this.entry(v))));
    const cut = this.found.length > shown.length ? `, the first ${shown.length} are listed` : '';
    this.figure.querySelector('.matches').textContent = `${counted(this.found.length, 'entity', 'entities')} of ${this.data.searchable.toLocaleString('en')}${cut}`;
  }

  entry(v) {
    return el('button', {type: 'button', class: 'plain', 'data-vertex': v, onclick: () => this.open(v)},
      chip(this.data.classes[v]), name(this.data.vertices[v]));
  }

  open(v) {
    for (const button of this.figure.querySelectorAll('.found button')) {
      button.setAttribute('aria-pressed', Number(button.dataset.vertex) === v ? 'true' : 'false');
    }
    const arcs = this.arcs(v);
    const total = this.data.degrees[v];
    const missing = total - arcs.length;
    this.figure.querySelector('.around').replaceChildren(
      el('h4', {}, chip(this.data.classes[v]), ' ', name(this.data.vertices[v])),
      el('p', {class: 'remark'}, `${counted(total, 'triple', 'triples')}; class ${this.data.classes[v]} has ${counted(this.data.sizes[v], 'member', 'members')}` +
        (missing > 0 ? `; ${missing.toLocaleString('en')} of its triples are not in this page` : '')),
      this.star(v, arcs), ...this.lists(arcs));
  }

  // [{relation, inverse, u}], in the order of relations.
  arcs(v) {
    const {triples} = this.data;
    return (this.of.get(v) || []).map(i => {
      const inverse = triples[i] !== v;
      return {relation: triples[i + 1], inverse, u: inverse ? triples[i] : triples[i + 2]};
    }).sort((a, b) => a.inverse - b.inverse || a.relation - b.relation || a.u - b.u);
  }

  star(v, arcs) {
    const shown = arcs.slice(0, MOST_DRAWN);
    const width = 560, height = 330, x = width / 2, y = height / 2;
    const parts = shown.map((arc, i) => this.ray(arc, 2 * Math.PI * (i + 0.5) / shown.length, x, y));
    const cut = arcs.length > shown.length ? `; the first ${shown.length} of ${arcs.length} triples` : '';
    return svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${this.data.vertices[v]} and its neighbours${cut}`},
      parts, this.disc(v, x, y, 17));
  }

  ray(arc, angle, x, y) {
    const far = {x: x + 175 * Math.cos(angle), y: y + 128 * Math.sin(angle)};
    const length = Math.hypot(far.x - x, far.y - y), ux = (far.x - x) / length, uy = (far.y - y) / length;
    const tip = arc.inverse ? {x: x + 20 * ux, y: y + 20 * uy, s: -1} : {x: far.x - 16 * ux, y: far.y - 16 * uy, s: 1};
    const head = `M${tip.x} ${tip.y}l${tip.s * (-9 * ux - 4 * uy)} ${tip.s * (-9 * uy + 4 * ux)}l${tip.s * 8 * uy} ${tip.s * -8 * ux}z`;
    const anchor = Math.abs(ux) < 0.3 ? 'middle' : (ux > 0 ? 'start' : 'end');
    return svg('g', {class: `r${arc.relation % 6}`},
      svg('title', {}, `${this.data.relations[arc.relation]}${arc.inverse ? ' (inverse)' : ''}: ${this.data.vertices[arc.u]}`),
      svg('path', {class: 'line', d: `M${x + 18 * ux} ${y + 18 * uy}L${far.x - 14 * ux} ${far.y - 14 * uy}`}),
      svg('path', {class: 'tip', d: head}), this.disc(arc.u, far.x, far.y, 12),
      svg('text', {x: far.x + 16 * Math.sign(ux) * (anchor === 'middle' ? 0 : 1), y: far.y + (anchor === 'middle' ? 26 * Math.sign(uy) : 4), 'text-anchor': anchor},
        this.short(this.data.vertices[arc.u])));
  }

  disc(v, x, y, radius) {
    const number = this.data.classes[v];
    return svg('g', {transform: `translate(${x} ${y})`},
      svg('path', {class: `disc ${colourOf(number)}`, d: OUTLINES[0], transform: `scale(${radius})`}),
      svg('text', {class: 'class', y: 4, 'text-anchor': 'middle', 'font-size': Math.min(radius * 0.85, radius * 3.2 / String(number).length)}, String(number)));
  }

  short(text) {
    const end = /^[^"].*:\/\/.*[/#](.+)$/.exec(text);
    const shown = end ? end[1] : text;
    return shown.length > 22 ? `${shown.slice(0, 7)}…${shown.slice(-14)}` : shown;
  }

  lists(arcs) {
    const groups = new Map();
    for (const arc of arcs.slice(0, MOST_LISTED)) {
      const key = `${arc.inverse ? '← ' : '→ '}${this.data.relations[arc.relation]}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(arc);
    }
    const lists = [...groups].map(([title, entries]) => el('div', {}, el('h5', {}, name(title)),
      el('ul', {}, entries.map(arc => el('li', {}, chip(this.data.classes[arc.u]), ' ', this.link(arc.u))))));
    const left = arcs.length - MOST_LISTED;
    if (left > 0) lists.push(el('p', {class: 'remark'}, `${left.toLocaleString('en')} more are not listed.`));
    return lists;
  }

  link(u) {
    if (u >= this.data.searchable) return name(this.data.vertices[u]);
    return el('button', {type: 'button', class: 'plain link', onclick: () => this.open(u)}, name(this.data.vertices[u]));
  }
}
