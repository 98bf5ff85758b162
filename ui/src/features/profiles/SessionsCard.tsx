import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../components/Section';
import type { Column } from '../../components/table/columns';
import { ServerTable } from '../../components/table/ServerTable';
import { useFormat } from '../../i18n';
import { decodeSystem, decodeVersion } from '../../lib/wire';
import type { App } from '../../access/apps';
import { decoders } from '../../parts/metrics/definitions';
import { sessionsOf, type Session } from './person';

/** The sessions of a person. */
export function SessionsCard({ app, uid }: { app: App; uid: string }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const columns = useMemo((): Column<Session>[] => {
    const decode = decoders(i18n.language);
    const version = (s: Session) => [s.p, s.pv === undefined ? undefined : decodeSystem(s.pv)].filter((part, i, all) => part !== undefined && !(i === 0 && all[1]?.startsWith(part))).join(' ');
    return [
      { key: 'ts', title: t('profiles.began'), fixed: true, value: (s) => s.ts, text: (s) => format.moment(s.ts * 1000, app.timezone) },
      { key: 'dur', title: t('profiles.length'), numeric: true, value: (s) => s.dur, text: (s) => (s.open === true ? t('profiles.openSince', { time: format.duration(s.dur) }) : format.duration(s.dur)) },
      { key: 'events', title: t('nav.events'), numeric: true, value: (s) => s.events, text: (s) => format.count(s.events) },
      { key: 'views', title: t('nav.views'), numeric: true, value: (s) => s.views, text: (s) => format.count(s.views) },
      { key: 'p', title: t('one.platforms'), value: version, text: (s) => version(s) || '–' },
      { key: 'av', title: t('one.app_versions'), value: (s) => s.av ?? '', text: (s) => (s.av === undefined ? '–' : decodeVersion(s.av)) },
      { key: 'cc', title: t('one.countries'), value: (s) => s.cc ?? '', text: (s) => (s.cc === undefined ? '–' : decode.countries(s.cc)) },
    ];
  }, [t, i18n.language, format, app.timezone]);
  const title = t('metric.sessions');
  return (
    <Section title={title}>
      <ServerTable caption={title} list={sessionsOf(app._id, uid)} columns={columns} order="-ts" file={`${app.name} ${title}`} size={10} bare aside />
    </Section>
  );
}
