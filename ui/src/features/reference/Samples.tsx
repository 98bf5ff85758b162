import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyBlock } from '../../components/CopyBlock';
import { serverAddress } from '../../lib/base';
import type { Operation } from './model';
import type { Values } from './request';
import { languages, sampleOf, type Language } from './samples';

/** The request as it is filled in, as code to copy. */
export function Samples({ operation, values }: { operation: Operation; values: Values }) {
  const { t } = useTranslation();
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <>
      <SegmentedControl
        className="reference-languages"
        aria-label={t('reference.language')}
        data={[...languages]}
        value={language}
        onChange={setLanguage}
      />
      <CopyBlock label={t('reference.sampleOf', { language })} code={sampleOf(language, operation, values, serverAddress())} />
    </>
  );
}
