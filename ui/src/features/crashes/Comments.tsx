import { Button, Group as Row, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { me } from '../../access/me';
import { may } from '../../access/rights';
import type { App } from '../../access/apps';
import { ConfirmDelete } from '../../components/form/ConfirmDelete';
import { Form } from '../../components/form/Form';
import { Section } from '../../components/Section';
import { useFormat } from '../../i18n';
import { useNote, type Comment, type Group } from './api';

/** How long a comment may be, in characters. */
const longest = 2000;

/** What people wrote about a group. */
export function Comments({ app, group }: { app: App; group: Group }) {
  const { t } = useTranslation();
  const member = useQuery(me).data;
  const note = useNote(app._id, group._id);
  const [text, setText] = useState('');
  const [editing, setEditing] = useState<string>();
  const [edited, setEdited] = useState<string>();
  const [deleting, setDeleting] = useState<Comment>();
  const can = (action: 'c' | 'u' | 'd') => member !== undefined && may(member, app._id, 'crashes', action);
  return (
    <Section title={t('crashes.comments')} lead={group.comments.length === 0 ? t('crashes.noComments') : undefined}>
      {group.comments.length > 0 && (
        <ul className="crash-comments">
          {group.comments.map((comment) => (
            <li key={comment._id}>
              {editing === comment._id ? (
                <Edit
                  app={app}
                  group={group}
                  comment={comment}
                  onDone={() => {
                    setEditing(undefined);
                    setEdited(comment._id);
                  }}
                />
              ) : (
                <OneComment
                  app={app}
                  comment={comment}
                  edited={edited === comment._id}
                  {...(can('u') ? { onEdit: () => setEditing(comment._id) } : {})}
                  {...(can('d') ? { onDelete: () => setDeleting(comment) } : {})}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {can('c') && (
        <Form
          button={t('crashes.addComment')}
          pending={note.isPending}
          error={note.error}
          ready={text.trim() !== ''}
          onSubmit={() => note.mutate({ what: 'add_comment', text }, { onSuccess: () => setText('') })}
        >
          <Textarea label={t('crashes.comment')} autosize minRows={2} maxLength={longest} value={text} onChange={(e) => setText(e.currentTarget.value)} />
        </Form>
      )}
      {deleting !== undefined && <Delete app={app} group={group} comment={deleting} onClose={() => setDeleting(undefined)} />}
    </Section>
  );
}

interface OneProps {
  app: App;
  comment: Comment;
  /** Whether it takes the place of the form that changed it, and its button the focus. */
  edited: boolean;
  onEdit?: () => void;
  onDelete?: () => void;
}

function OneComment({ app, comment: c, edited, onEdit, onDelete }: OneProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Stack gap={4}>
      <Row gap="xs" justify="space-between">
        <Text size="sm">
          <Text span fw={600}>
            <bdi>{c.author}</bdi>
          </Text>{' '}
          <Text span c="dimmed">
            {format.moment(c.time, app.timezone)}
            {c.edit_time !== undefined && ` · ${t('crashes.edited')}`}
          </Text>
        </Text>
        <Row gap={4} className="no-print">
          {onEdit !== undefined && (
            <Button size="compact-sm" variant="subtle" autoFocus={edited} onClick={onEdit} aria-label={t('crashes.editComment', { author: c.author })}>
              {t('app.edit')}
            </Button>
          )}
          {onDelete !== undefined && (
            <Button size="compact-sm" variant="subtle" c="red" onClick={onDelete} aria-label={t('crashes.deleteComment', { author: c.author })}>
              {t('app.delete')}
            </Button>
          )}
        </Row>
      </Row>
      <Text size="sm" className="breakable crash-said">
        {c.text}
      </Text>
    </Stack>
  );
}

interface ChangeProps {
  app: App;
  group: Group;
  comment: Comment;
}

function Edit({ app, group, comment, onDone }: ChangeProps & { onDone: () => void }) {
  const { t } = useTranslation();
  const note = useNote(app._id, group._id);
  const [text, setText] = useState(comment.text);
  return (
    <Form
      pending={note.isPending}
      error={note.error}
      ready={text.trim() !== ''}
      onCancel={onDone}
      onSubmit={() => note.mutate({ what: 'edit_comment', comment_id: comment._id, text }, { onSuccess: onDone })}
    >
      <Textarea autoFocus label={t('crashes.comment')} autosize minRows={2} maxLength={longest} value={text} onChange={(e) => setText(e.currentTarget.value)} />
    </Form>
  );
}

function Delete({ app, group, comment, onClose }: ChangeProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const note = useNote(app._id, group._id);
  return (
    <ConfirmDelete what={t('crashes.commentOf', { author: comment.author })} id={{ what: 'delete_comment' as const, comment_id: comment._id }} remove={note} done={t('crashes.commentDeleted')} onClose={onClose} />
  );
}
