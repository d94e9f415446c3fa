import { useLocation } from 'wouter'
import { Pick } from '../form/pick.tsx'
import { Section } from '../parts/page.tsx'

/** Leads to the review of a door. */
export function AccessReview() {
  const [, go] = useLocation()
  return (
    <div className="report-controls">
      <Section title="Access review" about="Who has access to a door, since when, and granted by whom.">
        <Pick
          plural="gadgets"
          label="Door"
          placeholder="Choose a door…"
          value={null}
          onChange={id => id && go(`/gadgets/${id}/review`)}
        />
      </Section>
    </div>
  )
}
