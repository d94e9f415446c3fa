import { Link } from 'wouter'
import { t } from '../language/t.ts'

/**
 * A name typed by a user. It is isolated, so that it can neither reverse the surrounding text nor overflow
 * its line.
 */
export function Name({
  children,
  fallback = t('Unnamed'),
}: {
  children: string | null | undefined
  fallback?: string
}) {
  return children ? (
    <bdi className="name" title={children}>
      {children}
    </bdi>
  ) : (
    <span className="name name-missing">{fallback}</span>
  )
}

/** A name that links to its object. Do not use it inside rows, where the whole row is the link. */
export function NameLink({ href, children }: { href: string; children: string | null | undefined }) {
  return (
    <Link href={href} className="name-link">
      <Name>{children}</Name>
    </Link>
  )
}

/** Returns the first grapheme of a name, which stands for the name in a small square. */
export function initial(name: string): string {
  const first = new Intl.Segmenter().segment(name.trim())[Symbol.iterator]().next().value
  return first?.segment.toUpperCase() ?? '·'
}
