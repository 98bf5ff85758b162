/** Storage for the Node.js SDK, in memory where a story can see that everything was sent. */
export function storage() {
  const kept = new Map();
  return {
    method: {
      storeSet: (key, value, done) => { kept.set(key, structuredClone(value)); done?.(null); },
      storeGet: (key, fallback) => structuredClone(kept.get(key)) ?? fallback,
      storeRemove: (key) => { kept.delete(key); },
    },
    /** Says whether the SDK keeps nothing to send. A request under way is still kept. */
    empty: () => ['cly_queue', 'cly_event', 'cly_bulk_queue', 'cly_req_queue', 'cly_bulk_event']
      .every((key) => Object.values(kept.get(key) ?? []).flat().length === 0),
  };
}
