// A drawing: its state (test, round, chosen vertex) and everything that shows it.
const PLAY_MILLISECONDS = 1100;

class DrawingState {
  constructor(figure, data) {
    this.figure = figure;
    figure.drawing = this;
    this.data = data;
    this.chosenTest = data.chosen;
    this.round = data.start;
    this.chosen = null;
    this.timer = null;
    this.arcs = data.graphs.map(graph => arcsOf(graph, data.direction));
    this.legend = [...figure.querySelectorAll('.legend.relations .swatch')];
    this.nodes = [...figure.querySelectorAll('svg.graph')].map(graph => [...graph.querySelectorAll('.vertex')]);
    this.edges = [...figure.querySelectorAll('svg.graph')].map(graph => [...graph.querySelectorAll('.edge')]);
    this.isQuotient = data.graphs.some(graph => graph.sizes.length > 0);
    OUTLINES.splice(0, OUTLINES.length, ...data.outlines);
    if (!data.colourings.length) return;
    this.controls();
    this.vertices();
    this.openPair();
    this.show();
  }

  // The first round at which two marked vertices differ; null if they never do, undefined if there is no such pair.
  pairParts() {
    if (this.data.marked.length !== 2) return undefined;
    const [[g, v], [h, w]] = this.data.marked;
    const round = this.colouring.rounds.findIndex(colours => colours[g][v] !== colours[h][w]);
    return round < 0 ? null : round;
  }

  // A marked pair opens where it is about to be separated, with what the two see.
  openPair() {
    const round = this.pairParts();
    if (!round) return;
    const [[graph, vertex]] = this.data.marked;
    this.round = round - 1;
    this.chosen = {graph, vertex};
  }

  pairText() {
    const round = this.pairParts();
    if (round === undefined) return '';
    if (round === null) return ' The two marked vertices share a class at every round.';
    return ` The two marked vertices differ from round ${round} on.`;
  }

  get colouring() { return this.data.colourings[this.chosenTest]; }
  get last() { return this.colouring.rounds.length - 1; }
  colours() { return this.colouring.rounds[this.round]; }

  members(number) {
    return this.colours().flatMap((colours, graph) => colours.flatMap((c, vertex) => c === number ? [{graph, vertex}] : []));
  }

  goTo(round) {
    this.round = Math.max(0, Math.min(this.last, round));
    this.show();
  }

  choose(chosen) {
    this.chosen = chosen;
    this.show();
  }

  // -- showing --

  show() {
    this.nodes.forEach((nodes, g) => nodes.forEach((node, v) => this.showVertex(node, g, v)));
    this.showEdges();
    this.slider.max = this.last;
    this.slider.value = this.round;
    this.slider.setAttribute('aria-valuetext', `round ${this.round} of ${this.last}`);
    this.slider.disabled = this.playButton.disabled = this.last === 0;
    this.output.textContent = `round ${this.round} of ${this.last}`;
    this.figure.classList.toggle('has-chosen', this.chosen !== null);
    this.showVerdict();
    showWhy(this, this.figure.querySelector('.why'));
    showHistogram(this, this.figure.querySelector('.histogram'));
  }

  showVertex(node, g, v) {
    const number = this.colours()[g][v];
    const own = this.chosen && this.chosen.graph === g && this.chosen.vertex === v;
    const lit = this.chosen && this.colours()[this.chosen.graph][this.chosen.vertex] === number;
    const disc = node.querySelector('.disc');
    disc.setAttribute('class', `disc ${colourOf(number)}`);
    disc.setAttribute('d', outlineOf(number));
    node.querySelector('.class').textContent = number;
    node.classList.toggle('lit', Boolean(lit));
    node.classList.toggle('chosen', Boolean(own));
    node.classList.toggle('beside', this.isBeside(g, v));
    node.setAttribute('aria-pressed', own ? 'true' : 'false');
    const label = this.data.graphs[g].labels.length ? `, label ${this.data.graphs[g].labels[v]}` : '';
    node.setAttribute('aria-label', `${this.data.graphs[g].vertices[v]}${label}, class ${number}`);
  }

  isBeside(g, v) {
    return this.chosen !== null && this.chosen.graph === g && this.arcs[g][this.chosen.vertex].some(arc => arc.u === v);
  }

  showEdges() {
    this.edges.forEach((edges, g) => edges.forEach((edge, i) => {
      const [head, , tail] = this.data.graphs[g].triples[i];
      const near = this.chosen !== null && this.chosen.graph === g && (head === this.chosen.vertex || tail === this.chosen.vertex);
      edge.classList.toggle('near', near);
    }));
  }

  showVerdict() {
    const line = this.figure.querySelector('.verdict-line');
    line.replaceChildren(...this.verdict());
  }

  verdict() {
    const {test, separated} = this.colouring;
    if (this.isQuotient) return ['Areas grow with the number of vertices in a class. Edges show how many triples lead from class to class.'];
    const where = `Round ${this.round} of ${test}: `;
    const classes = new Set(this.colours().flat()).size;
    if (this.data.graphs.length < 2 || this.data.isPart) {
      const count = this.data.graphs.reduce((sum, graph) => sum + graph.vertices.length, 0);
      const of = this.data.isPart ? ' that are drawn' : '';
      return [where, `${counted(classes, 'class', 'classes')} of ${counted(count, 'vertex', 'vertices')}${of}.`, this.pairText()];
    }
    const what = this.colouring.of === 'tuples' ? 'histograms of tuples' : 'histograms';
    if (separated === null) {
      return [where, this.round < this.last ? `the ${what} are equal.` : `the ${what} are equal at every round: ${test} does not separate the graphs.`];
    }
    const there = el('button', {type: 'button', class: 'plain link', onclick: () => this.goTo(separated)}, `Go to round ${separated}, where they differ.`);
    if (this.round < separated) return [where, `the ${what} are still equal. `, there];
    const since = this.round === separated ? 'here the' : `since round ${separated} the`;
    return [where, since, ` ${what} `, el('b', {class: 'differs'}, 'differ'), `: ${test} separates the graphs.`];
  }

  // -- controls --

  controls() {
    const box = this.figure.querySelector('.controls');
    box.hidden = false;
    box.querySelector('.rounds').hidden = this.isQuotient;
    this.slider = box.querySelector('input[type="range"]');
    this.output = box.querySelector('output');
    this.playButton = box.querySelector('.play');
    this.slider.addEventListener('input', () => { this.stop(); this.goTo(Number(this.slider.value)); });
    this.playButton.addEventListener('click', () => this.timer === null ? this.play() : this.stop());
    const chooser = box.querySelector('select');
    if (chooser) {
      chooser.value = String(this.chosenTest);
      chooser.addEventListener('change', () => this.chooseTest(Number(chooser.value)));
    }
    const search = box.querySelector('.search');
    search.addEventListener('input', () => this.search(search.value));
    search.addEventListener('keydown', event => { if (event.key === 'Enter') this.chooseFound(); });
    this.toggle('.show-names', 'with-names');
    this.toggle('.show-relations', 'with-relations');
  }

  toggle(selector, kind) {
    const box = this.figure.querySelector(selector);
    if (!box) return;
    const graphs = [...this.figure.querySelectorAll('svg.graph')];
    box.checked = graphs.some(graph => graph.classList.contains(kind));
    box.addEventListener('change', () => graphs.forEach(graph => graph.classList.toggle(kind, box.checked)));
  }

  chooseTest(number) {
    this.stop();
    this.chosenTest = number;
    const {separated} = this.colouring;
    this.round = separated === null ? this.last : Math.min(separated, this.last);
    this.show();
  }

  play() {
    if (this.round === this.last) this.goTo(0);
    this.playButton.textContent = 'Pause';
    this.timer = setInterval(() => {
      this.goTo(this.round + 1);
      if (this.round === this.last) this.stop();
    }, PLAY_MILLISECONDS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.textContent = 'Play';
  }

  search(text) {
    const wanted = text.trim().toLowerCase();
    this.found = [];
    this.nodes.forEach((nodes, g) => nodes.forEach((node, v) => {
      const graph = this.data.graphs[g];
      const names = [graph.vertices[v], graph.labels[v] || ''];
      const fits = wanted !== '' && names.some(each => each.toLowerCase().includes(wanted));
      node.classList.toggle('match', fits);
      if (fits) this.found.push({graph: g, vertex: v});
    }));
    this.figure.querySelector('.matches').textContent = wanted === '' ? '' : `${this.found.length} found`;
  }

  chooseFound() {
    if (!this.found || !this.found.length) return;
    this.choose(this.found[0]);
    this.nodes[this.found[0].graph][this.found[0].vertex].focus();
  }

  // -- vertices --

  vertices() {
    this.nodes.forEach((nodes, g) => nodes.forEach((node, v) => {
      filled(node, {role: 'button', tabindex: v === 0 ? 0 : -1}, []);
      node.addEventListener('click', () => this.choose(this.isChosen(g, v) ? null : {graph: g, vertex: v}));
      node.addEventListener('keydown', event => this.key(event, g, v));
      node.addEventListener('focus', () => { this.rove(g, v); this.tip(node, g, v); });
      node.addEventListener('blur', () => this.tip(null));
      node.addEventListener('pointerenter', event => { if (event.pointerType !== 'touch') this.tip(node, g, v); });
      node.addEventListener('pointerleave', () => this.tip(null));
    }));
  }

  isChosen(g, v) {
    return this.chosen !== null && this.chosen.graph === g && this.chosen.vertex === v;
  }

  // One vertex of each graph can be reached by Tab, the others by arrows.
  rove(g, v) {
    this.nodes[g].forEach((node, i) => node.setAttribute('tabindex', i === v ? 0 : -1));
  }

  key(event, g, v) {
    const ways = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (event.key === 'Enter' || event.key === ' ') this.choose(this.isChosen(g, v) ? null : {graph: g, vertex: v});
    else if (event.key === 'Escape') this.choose(null);
    else if (event.key in ways) this.move(g, v, ways[event.key]);
    else return;
    event.preventDefault();
  }

  // To the nearest vertex in a direction; none if there is none on that side.
  move(g, v, [dx, dy]) {
    const places = this.nodes[g].map(node => node.transform.baseVal.consolidate().matrix);
    let best = null;
    places.forEach((place, i) => {
      const x = place.e - places[v].e, y = place.f - places[v].f;
      const along = x * dx + y * dy, beside = Math.abs(x * dy) + Math.abs(y * dx);
      if (i === v || along <= 1) return;
      const far = along + 2.2 * beside;
      if (best === null || far < best.far) best = {far, i};
    });
    if (best !== null) this.nodes[g][best.i].focus();
  }

  tip(node, g, v) {
    const box = this.figure.querySelector('.tip-box');
    box.hidden = node === null;
    if (node === null) return;
    const graph = this.data.graphs[g];
    const number = this.colours()[g][v];
    box.replaceChildren(
      el('b', {}, name(graph.vertices[v])),
      graph.labels.length ? el('div', {}, 'label ', name(graph.labels[v])) : '',
      graph.sizes.length ? el('div', {}, counted(graph.sizes[v], 'vertex', 'vertices')) : '',
      el('div', {}, 'class ', chip(number), this.isQuotient ? '' : ` at round ${this.round}`),
      this.last > 0 ? historyOf(this, g, v, false) : '');
    const frame = this.figure.getBoundingClientRect(), place = node.querySelector('.disc').getBoundingClientRect();
    const left = Math.min(place.right - frame.left + 8, frame.width - box.offsetWidth - 6);
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${place.bottom - frame.top + 6}px`;
  }
}
