import type { QueryClient } from '@tanstack/react-query';
import type { Found, Place } from '../../feature/manifest';
import { pageOf } from '../../components/table/listing';
import { profileList } from '../../parts/people/api';

/** How many people are offered. */
const most = 8;

/** The people whose name, e-mail address, user name, device or number has a text, those seen last first. */
export async function found(route: Place, appID: string, queries: QueryClient, text: string): Promise<Found[]> {
  const page = pageOf(profileList(appID), { search: text, sort: { key: 'lac', desc: true }, page: 1, size: most });
  const { aaData } = await queries.query(page);
  return aaData.map(({ uid, did, name, email, username }) => {
    const first = name ?? email ?? username ?? did;
    return { label: email === undefined || email === first ? first : `${first} (${email})`, words: [uid, did, email, username].flatMap((word) => word ?? []), route, params: { uid } };
  });
}
