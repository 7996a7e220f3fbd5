// Puts the page together: transport, keys, help.

(() => {
  const figure = makeFigure();
  addTopView();
  if (DATA.series.n > 1) {
    addTimeline();
    addPlots();
  } else {
    const note = document.createElement('p');
    note.className = 'card empty';
    note.textContent = 'A single frame: nothing changes over time.';
    document.getElementById('plots').append(note);
  }
  addTables();
  addConvergence();
  addJoints(figure);
  addCopy();

  const scrub = document.getElementById('scrub');
  const output = document.getElementById('clock');
  scrub.min = START;
  scrub.max = END;
  scrub.addEventListener('input', () => { setPlaying(false); setTime(Number(scrub.value)); });
  views.push({
    element: scrub, visible: true, stale: true,
    draw: () => {
      if (document.activeElement !== scrub || clock.playing) scrub.value = clock.t;
      const text = `${fixed(clock.t, 2)} s`;
      output.textContent = innerWidth < 720 ? text : `${text} / ${fixed(END, 2)} s`;
      scrub.setAttribute('aria-valuetext', `${text}, frame ${frameAt(clock.t)}`);
    },
  });
  const step = (frames) => { setPlaying(false); setTime(clock.t + frames * FRAME_SECS); };
  document.getElementById('play').addEventListener('click', () => setPlaying(!clock.playing));
  document.getElementById('step-back').addEventListener('click', () => step(-1));
  document.getElementById('step-on').addEventListener('click', () => step(1));
  document.getElementById('speed').addEventListener('change', (event) => { clock.speed = Number(event.target.value); });
  const help = document.getElementById('help');
  document.getElementById('help-button').addEventListener('click', () => help.showModal());

  const zoomBy = (factor) => {
    const half = ((clock.to - clock.from) * factor) / 2;
    setRange(clock.t - half, clock.t + half);
  };
  const keys = {
    ' ': () => setPlaying(!clock.playing),
    ArrowRight: (event) => (event.shiftKey ? setTime(clock.t + 0.1) : step(1)),
    ArrowLeft: (event) => (event.shiftKey ? setTime(clock.t - 0.1) : step(-1)),
    Home: () => setTime(START),
    End: () => setTime(END),
    f: () => figure.toggleFollow(),
    r: () => figure.reset(),
    '+': () => zoomBy(0.5),
    '=': () => zoomBy(0.5),
    '-': () => zoomBy(2),
    0: () => setRange(START, END),
    1: () => figure.show(0),
    2: () => figure.show(1),
    3: () => figure.show(2),
    4: () => figure.show(3),
    '?': () => help.showModal(),
  };
  document.addEventListener('keydown', (event) => {
    const action = keys[event.key];
    const isControl = event.target.closest?.('select, dialog, pre, [role="tab"]') || (event.key === ' ' && event.target.closest?.('button'));
    if (!action || isControl || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === scrub && (event.key === 'Home' || event.key === 'End')) return;
    event.preventDefault();
    action(event);
  });

  const legend = document.getElementById('scene-legend');
  const sides = new Set(DATA.animation.shapes.map((shape) => shape.side));
  const entries = [['left', 'left', sides.has('left')], ['right', 'right', sides.has('right')],
    ['other', 'others', sides.has('other')], ['thing', 'things', sides.has('thing')], ['before', 'before', BEFORE !== null], ['com', 'centre of mass', true], ['zmp', 'zero-moment point', DATA.series.zmp[0].some(Number.isFinite)],
    ['double', 'support polygon', DATA.series.polygons.starts.length > 1]];
  for (const [colour, text] of entries.filter(([, , on]) => on)) {
    const item = document.createElement('span');
    const swatch = document.createElement('i');
    swatch.style.setProperty('--c', `var(--${colour})`);
    if (colour === 'double') swatch.className = 'area';
    item.append(swatch, document.createTextNode(text));
    legend.append(item);
  }
  // A link may name a moment: #t=1.25.
  const named = /[#&]t=([\d.]+)/.exec(location.hash);
  if (named) setTime(Number(named[1]));
  document.documentElement.dataset.ready = 'yes';
  redraw(true);
})();
