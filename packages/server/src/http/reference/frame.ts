import { type Html, html } from '../../texts/html.ts'

interface Frame {
  readonly title: string
  readonly navigation: Html
  readonly main: Html
}

/** What the reference and the guides share. Without scripts, only search, copying and the choice of a language are missing. */
export function renderFrame({ title, navigation, main }: Frame): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Gatehouse</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/look.css">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/script.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="brand" href="/docs">Gatehouse <span>documentation</span></a>
<form class="search" role="search" hidden><input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false"
role="combobox" aria-expanded="false" aria-controls="found"><ul id="found" role="listbox" aria-label="What was found" hidden></ul></form>
<a class="menu" href="#contents">Contents</a>
<a class="guides" href="/docs/guides">Guides</a>
<a class="download" href="/v2/openapi.json">OpenAPI</a>
</header>
${navigation}
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.text
}
