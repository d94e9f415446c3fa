import { type Html, html } from '../../texts/html.ts'
import { renderFrame } from './frame.ts'
import { type Guide, groupGuides } from './guides.ts'
import { renderMarkdown } from './markdown.ts'

type Guides = ReadonlyMap<string, Guide>

export function renderGuide(guides: Guides, guide: Guide): string {
  const body = renderMarkdown(guide.text, target => linkTo(guides, target))
  return renderFrame({
    title: guide.title,
    navigation: renderGuideNavigation(guides, guide.name),
    main: html`<article class="words guide">${body}</article>`,
  })
}

export function renderGuideList(guides: Guides): string {
  const groups = groupGuides(guides).map(
    ([group, found]) =>
      html`<h2>${group}</h2><ul>${found.map(({ name, title }) => html`<li><a href="/docs/guides/${name}">${title}</a></li>`)}</ul>`,
  )
  return renderFrame({
    title: 'Guides',
    navigation: renderGuideNavigation(guides, undefined),
    main: html`<article class="words guide"><h1>Guides</h1>${groups}</article>`,
  })
}

/** Links between documents lead to their pages, and those to files that are not here lead nowhere. */
function linkTo(guides: Guides, target: string): string | undefined {
  if (/^https?:/.test(target) || target.startsWith('#')) return target
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? []
  return guides.has(name) ? `/docs/guides/${name}${anchor}` : undefined
}

function renderGuideNavigation(guides: Guides, current: string | undefined): Html {
  const groups = groupGuides(guides).map(
    ([group, found]) =>
      html`<h2>${group}</h2><ul>${found.map(
        ({ name, title }) =>
          html`<li><a href="/docs/guides/${name}" ${name === current && html`aria-current="page"`}>${title}</a></li>`,
      )}</ul>`,
  )
  return html`<nav id="contents" aria-label="Contents"><a class="close" href="#main">Close</a>
<ul><li><a href="/docs">API reference</a></li></ul>${groups}</nav>`
}
