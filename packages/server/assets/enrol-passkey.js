// Adds a passkey where the browser can; where it cannot, the page keeps saying what is needed.
const form = document.getElementById('enrol')
const needs = document.getElementById('enrol-needs')
const failed = document.getElementById('enrol-failed')

if (form && window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  form.hidden = false
  needs.hidden = true
  form.addEventListener('submit', event => {
    event.preventDefault()
    enrol().catch(() => (failed.hidden = false))
  })
}

async function enrol() {
  failed.hidden = true
  const { form_token: token } = form.dataset
  const options = await post('/security/passkeys/options', { form_token: token })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey })
  const { location } = await post('/security/passkeys', {
    form_token: token,
    name: form.elements.name.value,
    response: JSON.stringify(credential.toJSON()),
  })
  window.location.assign(location)
}

async function post(path, fields) {
  const answer = await fetch(path, { method: 'POST', body: new URLSearchParams(fields) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.json()
}
