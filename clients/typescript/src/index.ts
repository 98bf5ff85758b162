export * from './api.js';
export { PendingError, QuipuError, type Json, type Options, type StreamEvent, type Upload } from './client.js';
