import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answer } from '../../components/Answer';
import { FieldList, Section } from '../../components/Section';
import { Status } from '../../components/Status';
import { useFormat } from '../../i18n';
import { database } from './api';

/** Which geo database the server uses, of when it is, and what is wrong with it. */
export function GeoDatabase() {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t('places.database')} lead={t('places.databaseHint')}>
      <Answer query={useQuery(database)}>
        {({ kind, file, built, loaded, bytes, cities, fault }) => (
          <>
            {fault !== '' && <Status kind="bad">{fault}</Status>}
            {built === 0 ? (
              <Status kind="bad">{t('places.noDatabase')}</Status>
            ) : (
              <FieldList
                fields={[
                  [t('places.kind'), kind],
                  [t('places.file'), file === '' ? t('places.embedded') : file],
                  [t('places.built'), format.moment(built)],
                  [t('places.loaded'), format.moment(loaded)],
                  [t('places.size'), format.bytes(bytes)],
                  [t('places.cities'), format.count(cities)],
                ]}
              />
            )}
          </>
        )}
      </Answer>
    </Section>
  );
}
