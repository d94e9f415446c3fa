// Search, copying, and the choice between curl and TypeScript. The pages work without it.

const store = {
  read: () => {
    try {
      return localStorage.getItem('gatehouse-docs-language')
    } catch {
      return null
    }
  },
  write: language => {
    try {
      localStorage.setItem('gatehouse-docs-language', language)
    } catch {
      // Without storage, the choice lasts for this page.
    }
  },
}

function choose(language) {
  document.documentElement.dataset.language = language
  for (const button of document.querySelectorAll('button[data-choose]'))
    button.setAttribute('aria-pressed', String(button.dataset.choose === language))
}

function makeButton(text, act) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', act)
  return button
}

for (const examples of document.querySelectorAll('.examples')) {
  const caption = examples.querySelectorAll('figcaption')
  for (const place of caption) {
    place.textContent = ''
    for (const [language, name] of [
      ['curl', 'curl'],
      ['typescript', 'TypeScript'],
    ]) {
      const button = makeButton(name, () => {
        const top = place.getBoundingClientRect().top
        choose(language)
        store.write(language)
        const shown = examples.querySelector(`figure[data-language="${language}"] figcaption`)
        scrollBy(0, shown.getBoundingClientRect().top - top)
        shown.querySelector(`[data-choose="${language}"]`).focus({ preventScroll: true })
      })
      button.dataset.choose = language
      place.append(button)
    }
  }
}
choose(store.read() === 'typescript' ? 'typescript' : 'curl')

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // Without TLS, browsers have no clipboard for pages, but copy what is selected.
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

for (const figure of document.querySelectorAll('figure')) {
  const button = makeButton('Copy', async () => {
    await copy(figure.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  button.className = 'copy'
  figure.querySelector('figcaption').append(button)
}

const form = document.querySelector('form.search')
const input = form.querySelector('input')
const list = form.querySelector('ul')
let loading
let chosen = -1
form.hidden = false

function load() {
  loading ??= fetch('/docs/search.json').then(answer => answer.json())
  return loading
}

/** All words must be there; those in the title count most. */
function rate({ title, where, words }, wanted) {
  const [head, rest] = [`${title} ${where}`.toLowerCase(), words.toLowerCase()]
  let points = 0
  for (const word of wanted) {
    if (head.startsWith(word)) points += 4
    else if (head.includes(word)) points += 3
    else if (rest.includes(word)) points += 1
    else return 0
  }
  return points
}

async function search() {
  const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  const entries = wanted.length > 0 ? await load() : []
  const found = entries
    .map(entry => ({ entry, points: rate(entry, wanted) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, 12)
  chosen = -1
  list.replaceChildren(...found.map(({ entry }, index) => makeOption(entry, index)))
  if (wanted.length > 0 && found.length === 0) {
    const none = document.createElement('li')
    none.textContent = 'Nothing was found.'
    list.append(none)
  }
  list.hidden = wanted.length === 0
  input.setAttribute('aria-expanded', String(!list.hidden))
  input.removeAttribute('aria-activedescendant')
}

function makeOption({ title, where, url }, index) {
  const option = document.createElement('li')
  option.id = `found-${index}`
  option.setAttribute('role', 'option')
  const link = document.createElement('a')
  link.href = url
  link.tabIndex = -1
  link.textContent = title
  const place = document.createElement('small')
  place.textContent = where
  link.append(place)
  option.append(link)
  return option
}

function close() {
  list.hidden = true
  input.setAttribute('aria-expanded', 'false')
}

function mark(step) {
  const options = [...list.querySelectorAll('[role=option]')]
  if (options.length === 0) return
  chosen = (chosen + step + options.length) % options.length
  for (const [index, option] of options.entries())
    option.setAttribute('aria-selected', String(index === chosen))
  input.setAttribute('aria-activedescendant', options[chosen].id)
  options[chosen].scrollIntoView({ block: 'nearest' })
}

input.addEventListener('focus', load)
input.addEventListener('input', search)
list.addEventListener('click', close)
form.addEventListener('submit', event => {
  event.preventDefault()
  const links = list.querySelectorAll('a')
  const link = links[Math.max(chosen, 0)]
  if (!link || list.hidden) return
  close()
  location.assign(link.href)
})
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') close()
  if (event.target === input && event.key === 'ArrowDown') mark(1)
  else if (event.target === input && event.key === 'ArrowUp') mark(-1)
  else if (event.key === '/' && !(event.target instanceof HTMLInputElement)) input.focus()
  else return
  event.preventDefault()
})
document.addEventListener('click', event => {
  if (!form.contains(event.target)) close()
})
