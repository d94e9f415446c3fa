// Copies what a button says that it copies, where the browser lets the page.
const button = document.getElementById('copy')
const copied = document.getElementById('copied')

if (button && navigator.clipboard) {
  button.hidden = false
  button.addEventListener('click', () =>
    navigator.clipboard
      .writeText(button.dataset.copies)
      .then(() => (copied.textContent = copied.dataset.text)),
  )
}
