import { useTranslation } from 'react-i18next';
import { Status } from '../../components/Status';
import { wordsOf, type Logged } from './api';

/** What became of a request: taken, taken with problems, or refused and why. */
export function Outcome({ of: { c, p } }: { of: Logged }) {
  const { t } = useTranslation();
  if (c !== false) return <Status kind="bad">{wordsOf(c)}</Status>;
  return p.length > 0 ? <Status kind="busy">{p.join(', ')}</Status> : <Status kind="good">{t('logger.taken')}</Status>;
}
