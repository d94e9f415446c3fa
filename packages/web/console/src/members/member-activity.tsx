import { RecentEvents } from '../parts/recent-events.tsx'

/** What the member did lately. */
export function MemberActivity({ member_id }: { member_id: string }) {
  return <RecentEvents filter="subject.member_id" id={member_id} nothing="No activity yet." />
}
