// The Chromium that the tests drive.
import { findOrInstall } from './debian.mjs'

const fonts = `<?xml version="1.0"?>
<fontconfig>
  <dir prefix="relative">usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** The path of a Chromium that runs. */
export function findOrInstallBrowser(root) {
  return findOrInstall(root, {
    title: 'Chromium',
    names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
    // Without a font every page is empty boxes.
    packages: ['chromium', 'fonts-liberation'],
    program: 'usr/lib/chromium/chromium',
    check: ['--version'],
    variables: { FONTCONFIG_FILE: '$here/fonts.conf' },
    files: { 'fonts.conf': fonts },
  })
}
