// The Chromium for the browser tests.
import { find, install } from './debian.mjs'

const fonts = `<?xml version="1.0"?>
<fontconfig>
  <dir prefix="relative">usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** Headless Chromium: the same engine, but it opens a page in little more than half the time. */
const shell = {
  title: 'Chromium',
  names: ['chromium-headless-shell'],
  // Without a font, every page shows empty boxes.
  packages: ['chromium-headless-shell', 'fonts-liberation'],
  program: 'usr/lib/chromium/chromium-headless-shell',
  check: ['--version'],
  variables: { FONTCONFIG_FILE: '$here/fonts.conf' },
  files: { 'fonts.conf': fonts },
}
const whole = {
  ...shell,
  names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
  packages: ['chromium', 'fonts-liberation'],
  program: 'usr/lib/chromium/chromium',
}

/** Returns the path of a working Chromium, preferably the faster headless shell. */
export async function findOrInstallBrowser(root) {
  return find(root, shell) ?? installBeside(root) ?? findBrowser(root)
}

/** For callers after the set-up: skips `installBeside`, which has failed there if the shell is missing. */
export async function findBrowser(root) {
  return find(root, shell) ?? find(root, whole) ?? install(root, shell)
}

/** The headless shell shows no notifications. */
export function findWholeBrowser(root) {
  return find(root, whole) ?? install(root, whole)
}

// The headless shell shares files with an installed full Chromium. Next to one, it is therefore installed,
// not unpacked.
function installBeside(root) {
  if (process.getuid() !== 0 || !find(root, whole)) return undefined
  try {
    return install(root, shell)
  } catch {
    return undefined
  }
}
