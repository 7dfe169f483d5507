// Long tables: a search over all rows, and more rows on request.
const MORE_ROWS = 200;
const LONGEST_CELL = 160;

class LongTable {
  constructor(figure, data) {
    this.figure = figure;
    this.rows = data.rows;
    this.first = data.shown;
    this.shown = data.shown;
    this.kinds = [...figure.querySelectorAll('thead th')].map(cell => cell.className);
    this.lower = null;
    this.found = this.rows;
    const search = figure.querySelector('.search');
    search.hidden = false;
    search.addEventListener('input', () => this.search(search.value));
    this.more = figure.querySelector('.more');
    if (this.more) {
      this.more.hidden = false;
      this.more.addEventListener('click', () => { this.shown += MORE_ROWS; this.show(); });
    }
  }

  search(text) {
    const wanted = text.trim().toLowerCase();
    this.lower = this.lower || this.rows.map(row => row.join('\n').toLowerCase());
    this.found = this.rows.filter((row, i) => this.lower[i].includes(wanted));
    this.shown = this.first;
    this.show();
  }

  show() {
    const rows = this.found.slice(0, this.shown).map(row => el('tr', {}, row.map((cell, i) => this.cell(cell, this.kinds[i]))));
    this.figure.querySelector('tbody').replaceChildren(...rows);
    const count = this.figure.querySelector('.count');
    if (count) count.textContent = rows.length < this.found.length ? `The first ${rows.length} of ${counted(this.found.length, 'row', 'rows')}.` : `${counted(rows.length, 'row', 'rows')}.`;
    if (this.more) this.more.hidden = rows.length >= this.found.length;
  }

  cell(text, kind) {
    if (text.length <= LONGEST_CELL) return el('td', {class: kind}, name(text));
    return el('td', {class: kind, title: text}, name(`${text.slice(0, LONGEST_CELL)}…`));
  }
}
