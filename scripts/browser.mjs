// The Chromium that the tests drive.
import { find, install } from './debian.mjs'

const fonts = `<?xml version="1.0"?>
<fontconfig>
  <dir prefix="relative">usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** Chromium without its windows: the same engine, which opens a page in little more than half the time. */
const shell = {
  title: 'Chromium',
  names: ['chromium-headless-shell'],
  // Without a font every page is empty boxes.
  packages: ['chromium-headless-shell', 'fonts-liberation'],
  program: 'usr/lib/chromium/chromium-headless-shell',
  check: ['--version'],
  variables: { FONTCONFIG_FILE: '$here/fonts.conf' },
  files: { 'fonts.conf': fonts },
}
const whole = { ...shell, names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'] }

/** The path of a Chromium that runs: the quicker one where it can be had. */
export async function findOrInstallBrowser(root) {
  return find(root, shell) ?? installBeside(root) ?? findBrowser(root)
}

/** For those who come after the set-up: what failed there is not tried again. */
export async function findBrowser(root) {
  return find(root, shell) ?? find(root, whole) ?? install(root, shell)
}

// It shares files with a whole Chromium that is installed, so beside one it is installed too, not unpacked.
function installBeside(root) {
  if (process.getuid() !== 0 || !find(root, whole)) return undefined
  try {
    return install(root, shell)
  } catch {
    return undefined
  }
}
