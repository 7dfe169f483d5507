// The page: everything that its data describes, light and dark, and buttons that copy.
const KINDS = {drawing: DrawingState, table: LongTable, neighbourhoods: Neighbourhoods};

function start() {
  const data = JSON.parse(document.getElementById('data').textContent);
  for (const [id, value] of Object.entries(data)) {
    new KINDS[id.split('-')[0]](document.getElementById(id), value);
  }
  themeButton();
  for (const button of document.querySelectorAll('.copy')) copyButton(button);
}

function themeButton() {
  const button = document.getElementById('theme');
  if (!button) return;
  const isDark = () => document.documentElement.dataset.theme === 'dark' ||
    (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
  const show = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-pressed', isDark() ? 'true' : 'false');
    button.setAttribute('aria-label', isDark() ? 'Show the page in light colours' : 'Show the page in dark colours');
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    show();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
  show();
}

function copyButton(button) {
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
}

start();
