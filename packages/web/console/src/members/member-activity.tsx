import { RecentEvents } from '../parts/recent-events.tsx'

/** Lists the latest events of the member. */
export function MemberActivity({ member_id }: { member_id: string }) {
  return <RecentEvents filter="subject.member_id" id={member_id} nothing="No activity yet." />
}
