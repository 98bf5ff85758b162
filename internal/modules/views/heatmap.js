/* Draws where visitors click and how far they scroll over the page that loads it. It shows nothing, and asks for nothing, unless the window was
   opened for that: its name then holds a token that is good for this one read. */
(function () {
  'use strict';
  var PREFIX = 'cly:';
  var ID = 'quipu-heatmap';
  if (document.getElementById(ID)) return;

  var asked;
  try {
    asked = window.name.indexOf(PREFIX) === 0 ? JSON.parse(window.name.slice(PREFIX.length)) : null;
  } catch (e) {
    asked = null;
  }
  if (!asked || asked.purpose !== 'heatmap' || typeof asked.token !== 'string' || !/^https?:\/\//.test(String(asked.url))) return;

  var WORDS = {
    en: {
      label: 'Heat map', click: 'Clicks', scroll: 'Scrolling', dead: 'Dead clicks', rage: 'Rage clicks', device: 'Devices', all: 'All widths',
      phone: 'Up to 599 px', tablet: '600 to 1023 px', desktop: 'From 1024 px', close: 'Close heat map', loading: 'Loading…',
      none: 'Nothing was recorded on this page.', expired: 'The link has expired. Open the page from the dashboard again.', failed: 'The figures cannot be loaded.',
      reach: '{n} % of visitors see this',
    },
    de: {
      label: 'Heatmap', click: 'Klicks', scroll: 'Scrollen', dead: 'Klicks ins Leere', rage: 'Wutklicks', device: 'Geräte', all: 'Alle Breiten',
      phone: 'Bis 599 px', tablet: '600 bis 1023 px', desktop: 'Ab 1024 px', close: 'Heatmap schließen', loading: 'Wird geladen …',
      none: 'Auf dieser Seite wurde nichts aufgezeichnet.', expired: 'Der Link ist abgelaufen. Öffnen Sie die Seite erneut aus dem Dashboard.',
      failed: 'Die Zahlen lassen sich nicht laden.', reach: '{n} % der Besucher sehen das',
    },
  };
  var words = WORDS[asked.lang === 'de' ? 'de' : 'en'];
  var WIDTHS = { all: {}, phone: { maxWidth: 599 }, tablet: { minWidth: 600, maxWidth: 1023 }, desktop: { minWidth: 1024 } };
  var KINDS = ['click', 'scroll', 'dead', 'rage'];

  var state = { kind: KINDS.indexOf(asked.kind) >= 0 ? asked.kind : 'click', device: WIDTHS[asked.device] ? asked.device : 'all', view: '', rows: [], turn: 0 };

  function make(tag, style, text) {
    var e = document.createElement(tag);
    for (var name in style) e.style.setProperty(name, style[name], 'important');
    if (text !== undefined) e.textContent = text;
    return e;
  }

  var host = make('div', { all: 'initial' });
  host.id = ID;
  var canvas = make('canvas', { position: 'absolute', left: '0', top: '0', 'z-index': '2147483646', 'pointer-events': 'none' });
  canvas.setAttribute('role', 'img');
  var bar = make('div', {
    position: 'fixed', left: '50%', bottom: '16px', transform: 'translateX(-50%)', 'z-index': '2147483647', display: 'flex', 'flex-wrap': 'wrap', gap: '8px',
    'align-items': 'center', 'max-width': '95vw', padding: '8px 12px', 'border-radius': '10px', background: '#1b1f2e', color: '#fff', font: '14px/1.4 system-ui, sans-serif',
    'box-shadow': '0 4px 20px rgba(0,0,0,.4)',
  });
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', words.label);
  var status = make('span', { 'min-width': '60px' });
  status.setAttribute('role', 'status');

  function button(text, press) {
    var b = make('button', { font: 'inherit', color: '#fff', background: 'transparent', border: '1px solid #6c7391', 'border-radius': '6px', padding: '4px 10px', cursor: 'pointer' }, text);
    b.type = 'button';
    b.addEventListener('click', function (e) {
      e.stopPropagation();
      press();
    });
    return b;
  }

  var buttons = {};
  KINDS.forEach(function (kind) {
    buttons[kind] = button(words[kind], function () {
      state.kind = kind;
      load();
    });
    bar.appendChild(buttons[kind]);
  });
  var select = make('select', { font: 'inherit', color: '#fff', background: '#1b1f2e', border: '1px solid #6c7391', 'border-radius': '6px', padding: '4px' });
  select.setAttribute('aria-label', words.device);
  Object.keys(WIDTHS).forEach(function (name) {
    var option = document.createElement('option');
    option.value = name;
    option.textContent = words[name];
    option.selected = name === state.device;
    select.appendChild(option);
  });
  select.addEventListener('change', function () {
    state.device = select.value;
    load();
  });
  bar.appendChild(select);
  bar.appendChild(status);
  bar.appendChild(button(words.close, close));
  host.appendChild(bar);

  function view() {
    var sdk = window.Countly;
    try {
      if (sdk && typeof sdk.getViewUrl === 'function') return String(sdk.getViewUrl());
    } catch (e) {
      // the page's own function fails
    }
    return location.pathname;
  }

  function size() {
    var d = document.documentElement;
    var b = document.body;
    canvas.style.setProperty('display', 'none', 'important');
    var out = { width: Math.max(d.scrollWidth, d.clientWidth, b.scrollWidth), height: Math.max(d.scrollHeight, d.clientHeight, b.scrollHeight) };
    canvas.style.setProperty('display', 'block', 'important');
    return out;
  }

  function load() {
    var turn = ++state.turn;
    state.view = view();
    KINDS.forEach(function (kind) {
      buttons[kind].setAttribute('aria-pressed', String(kind === state.kind));
      buttons[kind].style.setProperty('background', kind === state.kind ? '#4c5fd7' : 'transparent', 'important');
    });
    status.textContent = words.loading;
    var query = {
      app_key: asked.app_key, view: state.view, actionType: state.kind, period: asked.period || '30days', device: JSON.stringify(WIDTHS[state.device]),
    };
    if (asked.filter) query.filter = asked.filter;
    var text = Object.keys(query).map(function (k) {
      return k + '=' + encodeURIComponent(String(query[k]));
    }).join('&');
    fetch(String(asked.url).replace(/\/+$/, '') + '/o/actions?' + text, { headers: { 'countly-token': asked.token }, credentials: 'omit', referrerPolicy: 'no-referrer' })
      .then(function (r) {
        if (!r.ok) throw new Error(r.status === 400 || r.status === 401 ? words.expired : words.failed);
        return r.json();
      })
      .then(function (answer) {
        if (turn !== state.turn) return;
        state.rows = Array.isArray(answer.data) ? answer.data : [];
        status.textContent = state.rows.length === 0 ? words.none : '';
        draw();
      })
      .catch(function (e) {
        if (turn !== state.turn) return;
        state.rows = [];
        draw();
        status.textContent = e.message === words.expired ? words.expired : words.failed;
      });
  }

  function draw() {
    var page = size();
    // Half of the pixels are enough for what is blurred, and browsers bound how large a canvas is.
    var scale = Math.min(0.5, 12000 / page.height);
    canvas.width = Math.max(1, Math.round(page.width * scale));
    canvas.height = Math.max(1, Math.round(page.height * scale));
    canvas.style.setProperty('width', page.width + 'px', 'important');
    canvas.style.setProperty('height', page.height + 'px', 'important');
    canvas.setAttribute('aria-label', words.label + ': ' + words[state.kind]);
    canvas.setAttribute('data-points', String(state.rows.length));
    var g = canvas.getContext('2d');
    g.clearRect(0, 0, canvas.width, canvas.height);
    if (state.rows.length === 0) return;
    if (state.kind === 'scroll') bands(g, page, scale);
    else points(g, scale);
  }

  function colour(share) {
    return [Math.round(255 * Math.min(1, share * 2)), Math.round(255 * Math.min(1, (1 - Math.abs(share - 0.5)) * 1.2)), Math.round(255 * Math.max(0, 1 - share * 2))];
  }

  function points(g, scale) {
    var sums = {};
    var most = 0;
    state.rows.forEach(function (row) {
      var sg = row.sg || {};
      var x = Math.round((sg.x / sg.width) * canvas.width);
      var y = Math.round((sg.y / sg.height) * canvas.height);
      if (!isFinite(x) || !isFinite(y)) return;
      var key = Math.round(x / 4) + ',' + Math.round(y / 4);
      var at = sums[key] || (sums[key] = { x: x, y: y, n: 0 });
      at.n += Number(row.c) || 0;
      most = Math.max(most, at.n);
    });
    var radius = Math.max(6, Math.round(28 * scale));
    Object.keys(sums).forEach(function (key) {
      var at = sums[key];
      var alpha = Math.max(0.12, Math.min(1, Math.sqrt(at.n / most)));
      var gradient = g.createRadialGradient(at.x, at.y, 0, at.x, at.y, radius);
      gradient.addColorStop(0, 'rgba(0,0,0,' + alpha + ')');
      gradient.addColorStop(1, 'rgba(0,0,0,0)');
      g.fillStyle = gradient;
      g.fillRect(at.x - radius, at.y - radius, 2 * radius, 2 * radius);
    });
    var picture = g.getImageData(0, 0, canvas.width, canvas.height);
    for (var i = 0; i < picture.data.length; i += 4) {
      var a = picture.data[i + 3];
      if (a === 0) continue;
      var c = colour(a / 255);
      picture.data[i] = c[0];
      picture.data[i + 1] = c[1];
      picture.data[i + 2] = c[2];
      picture.data[i + 3] = Math.min(200, 60 + a);
    }
    g.putImageData(picture, 0, 0);
  }

  function bands(g, page, scale) {
    var steps = 100;
    var seen = [];
    var all = 0;
    for (var i = 0; i <= steps; i++) seen[i] = 0;
    state.rows.forEach(function (row) {
      var sg = row.sg || {};
      var depth = Math.max(0, Math.min(steps, Math.floor((sg.y / sg.height) * steps)));
      if (!isFinite(depth)) return;
      all += Number(row.c) || 0;
      for (var d = 0; d <= depth; d++) seen[d] += Number(row.c) || 0;
    });
    if (all === 0) return;
    var step = canvas.height / steps;
    for (var j = 0; j < steps; j++) {
      var c = colour(seen[j] / all);
      g.fillStyle = 'rgba(' + c[0] + ',' + c[1] + ',' + c[2] + ',.35)';
      g.fillRect(0, Math.floor(j * step), canvas.width, Math.ceil(step));
    }
    g.font = Math.round(26 * scale) + 'px system-ui, sans-serif';
    [75, 50, 25].forEach(function (percent) {
      var at = 0;
      while (at < steps && seen[at + 1] * 100 >= percent * all) at++;
      var y = Math.round(at * step);
      g.fillStyle = '#1b1f2e';
      g.fillRect(0, y, canvas.width, Math.max(1, Math.round(3 * scale)));
      g.fillText(words.reach.replace('{n}', String(percent)), Math.round(12 * scale), Math.max(y - Math.round(8 * scale), Math.round(26 * scale)));
    });
  }

  var watch = setInterval(function () {
    if (view() !== state.view) load();
  }, 500);
  var resized;
  function resize() {
    clearTimeout(resized);
    resized = setTimeout(draw, 200);
  }
  window.addEventListener('resize', resize);

  function close() {
    clearInterval(watch);
    window.removeEventListener('resize', resize);
    window.name = '';
    host.remove();
    canvas.remove();
  }

  function begin() {
    document.body.appendChild(canvas);
    document.body.appendChild(host);
    load();
  }
  if (document.body) begin();
  else document.addEventListener('DOMContentLoaded', begin);
})();
