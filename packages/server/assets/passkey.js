// Signs in with a passkey where the browser can; the button is not there where it cannot.
const button = document.getElementById('passkey')
const failed = document.getElementById('passkey-failed')

if (button && window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  button.hidden = false
  button.addEventListener('click', () => signIn().catch(() => (failed.hidden = false)))
}

async function signIn() {
  failed.hidden = true
  const { form_token: token, return_to: returnTo } = button.dataset
  const options = await post('/sign-in/passkey/options', { form_token: token })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  const { location } = await post('/sign-in/passkey', {
    form_token: token,
    return_to: returnTo,
    response: JSON.stringify(credential.toJSON()),
  })
  window.location.assign(location)
}

async function post(path, fields) {
  const answer = await fetch(path, { method: 'POST', body: new URLSearchParams(fields) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.json()
}
