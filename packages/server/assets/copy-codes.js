// Copies the recovery codes where the browser lets the page.
const button = document.getElementById('copy-codes')
const copied = document.getElementById('codes-copied')

if (button && navigator.clipboard) {
  button.hidden = false
  button.addEventListener('click', () =>
    navigator.clipboard.writeText(readCodes()).then(() => (copied.textContent = copied.dataset.text)),
  )
}

function readCodes() {
  return Array.from(document.querySelectorAll('.codes code'), code => code.textContent).join('\n')
}
