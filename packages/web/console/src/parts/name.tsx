import { Link } from 'wouter'

/** A name that somebody typed: isolated, so that it can neither turn the text around it nor grow out of its line. */
export function Name({
  children,
  fallback = 'Unnamed',
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

/** A name that leads to its object; inside of rows the whole row is the link. */
export function NameLink({ href, children }: { href: string; children: string | null | undefined }) {
  return (
    <Link href={href} className="name-link">
      <Name>{children}</Name>
    </Link>
  )
}

/** What stands for a name in a small square: its first character, as people count characters. */
export function initial(name: string): string {
  const first = new Intl.Segmenter().segment(name.trim())[Symbol.iterator]().next().value
  return first?.segment.toUpperCase() ?? '·'
}
