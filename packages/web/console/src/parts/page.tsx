import { Group, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { IconChevronRight } from '../icons/icons.ts'
import { Name } from './name.tsx'

interface PageProps {
  readonly title: string
  /** Badges beside the title. */
  readonly badge?: ReactNode
  /** The breadcrumbs of the page: `[['Members', '/members']]`. */
  readonly trail?: readonly (readonly [string, string])[]
  readonly subtitle?: ReactNode
  readonly actions?: ReactNode
  /** Narrow pages are easier to read. Used for forms and details. */
  readonly narrow?: boolean
  readonly children: ReactNode
}

/** The frame of every screen: breadcrumbs, title and actions. */
export function Page({ title, badge, trail = [], subtitle, actions, narrow, children }: PageProps) {
  useDocumentTitle(`${title} · Gatehouse`)
  return (
    <div className={narrow ? 'page page-narrow' : 'page'}>
      {trail.length > 0 && (
        <nav aria-label="Breadcrumb" className="trail">
          {trail.map(([name, path]) => (
            <Fragment key={path}>
              <Link href={path}>
                <Name>{name}</Name>
              </Link>
              <IconChevronRight size={12} aria-hidden />
            </Fragment>
          ))}
        </nav>
      )}
      <header className="page-head">
        <div className="page-title">
          <Group gap="xs" wrap="nowrap">
            <Title order={1} size="h3" className="clip">
              <bdi>{title}</bdi>
            </Title>
            {badge}
          </Group>
          {subtitle && (
            <Text size="sm" c="dimmed" component="div">
              {subtitle}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </header>
      {children}
    </div>
  )
}

export interface SectionProps {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  /** True when the children touch the edges, as lists do. */
  readonly flush?: boolean
  readonly children: ReactNode
}

export function Section({ title, about, actions, flush, children }: SectionProps) {
  return (
    <section className="section" aria-label={title}>
      <header className="section-head">
        <div>
          <Title order={2} size="h6">
            {title}
          </Title>
          {about && (
            <Text size="xs" c="dimmed" component="div">
              {about}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </header>
      <div className={flush ? 'section-body section-flush' : 'section-body'}>{children}</div>
    </section>
  )
}

/** A list of labels and values. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
