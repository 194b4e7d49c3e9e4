// The ground of the sample valley, made up like everything in sample/. Its names, streets and places are those of
// sample/library.ndjson; lines go through the coordinates that the services have there.

/** Longitude and latitude in degrees, as GeoJSON has them. */
export type Position = readonly [longitude: number, latitude: number];

export type ValleyLine = {
  readonly name?: string;
  readonly kind: string;
  readonly points: readonly Position[];
};

/** What the map shows of the world: a little more than the valley, so that nobody sees an edge. */
export const bounds = { west: -2.45, south: 53.9, east: -1.85, north: 54.22 } as const;

export const places: readonly { name: string; kind: 'town' | 'village' | 'quarter'; at: Position }[] = [
  { name: 'Sarrowby', kind: 'town', at: [-2.15, 54.0505] },
  { name: 'Crindlow', kind: 'village', at: [-2.1204, 54.1182] },
  { name: 'Birkfold', kind: 'village', at: [-2.2845, 54.0893] },
  { name: 'Hagwith', kind: 'village', at: [-2.0535, 54.0731] },
  { name: 'Oxmarsh', kind: 'village', at: [-2.089, 53.986] },
  { name: 'Nether Sallow', kind: 'village', at: [-1.986, 54.0225] },
  { name: 'Lowsett', kind: 'village', at: [-2.231, 53.964] },
  { name: 'Winderscar', kind: 'village', at: [-2.2352, 54.1615] },
  { name: 'Ravensett', kind: 'quarter', at: [-2.131, 54.0685] },
  { name: 'Spindle Hill', kind: 'quarter', at: [-2.1545, 54.067] },
  { name: 'Weirside', kind: 'quarter', at: [-2.171, 54.041] },
  { name: 'Quarry Top', kind: 'quarter', at: [-2.145, 54.0345] },
];

/** The Sarrow runs from the fell above Winderscar through the town, and the Sallow through the east of the valley. */
export const rivers: readonly (ValleyLine & { metresWide: number })[] = [
  {
    name: 'River Sarrow',
    kind: 'river',
    metresWide: 34,
    points: [
      [-2.262, 54.22],
      [-2.249, 54.175],
      [-2.21, 54.15],
      [-2.168, 54.131],
      [-2.146, 54.108],
      [-2.163, 54.087],
      [-2.1588, 54.0655],
      [-2.1606, 54.0585],
      [-2.1555, 54.0525],
      [-2.1538, 54.0488],
      [-2.1575, 54.0466],
      [-2.163, 54.0425],
      [-2.1688, 54.0412],
      [-2.178, 54.0407],
      [-2.192, 54.028],
      [-2.196, 54.006],
      [-2.217, 53.988],
      [-2.219, 53.965],
      [-2.236, 53.941],
      [-2.232, 53.9],
    ],
  },
  {
    name: 'River Sallow',
    kind: 'river',
    metresWide: 22,
    points: [
      [-2.033, 54.22],
      [-2.052, 54.16],
      [-2.034, 54.115],
      [-2.041, 54.082],
      [-2.02, 54.058],
      [-1.991, 54.04],
      [-1.988, 54.016],
      [-1.961, 53.99],
      [-1.966, 53.95],
      [-1.94, 53.9],
    ],
  },
  {
    name: 'Birk Beck',
    kind: 'stream',
    metresWide: 0,
    points: [
      [-2.39, 54.13],
      [-2.335, 54.106],
      [-2.291, 54.0895],
      [-2.249, 54.083],
      [-2.214, 54.067],
      [-2.186, 54.062],
      [-2.1606, 54.0585],
    ],
  },
  {
    name: 'Oxmarsh Beck',
    kind: 'stream',
    metresWide: 0,
    points: [
      [-2.06, 54.03],
      [-2.079, 54.004],
      [-2.0925, 53.9862],
      [-2.137, 53.972],
      [-2.219, 53.965],
    ],
  },
];

/** Roads between places; the railway follows the valley. */
export const mainRoads: readonly ValleyLine[] = [
  {
    name: 'Fell Road',
    kind: 'major_road',
    points: [
      [-2.1512, 54.0513],
      [-2.1495, 54.0555],
      [-2.1455, 54.0625],
      [-2.1405, 54.0745],
      [-2.1365, 54.091],
      [-2.1225, 54.1075],
      [-2.1195, 54.1185],
      [-2.0985, 54.135],
      [-2.087, 54.17],
      [-2.095, 54.22],
    ],
  },
  {
    name: 'Lowsett Road',
    kind: 'major_road',
    points: [
      [-2.1512, 54.0513],
      [-2.1545, 54.0484],
      [-2.157, 54.0474],
      [-2.1615, 54.0452],
      [-2.1713, 54.0432],
      [-2.1764, 54.0421],
      [-2.1915, 54.0362],
      [-2.213, 54.0145],
      [-2.2265, 53.987],
      [-2.2296, 53.9609],
      [-2.254, 53.932],
      [-2.259, 53.9],
    ],
  },
  {
    name: 'Sallow Road',
    kind: 'major_road',
    points: [
      [-2.1512, 54.0513],
      [-2.1457, 54.0519],
      [-2.1385, 54.0522],
      [-2.1298, 54.0553],
      [-2.1155, 54.0545],
      [-2.083, 54.0485],
      [-2.034, 54.0345],
      [-1.9821, 54.0201],
      [-1.93, 54.015],
      [-1.85, 54.02],
    ],
  },
  {
    name: 'Birkfold Road',
    kind: 'minor_road',
    points: [
      [-2.157, 54.0474],
      [-2.166, 54.0505],
      [-2.186, 54.0575],
      [-2.2225, 54.072],
      [-2.258, 54.084],
      [-2.2891, 54.0904],
      [-2.346, 54.094],
      [-2.45, 54.088],
    ],
  },
  {
    name: 'Top Road',
    kind: 'minor_road',
    points: [
      [-2.1195, 54.1185],
      [-2.149, 54.137],
      [-2.192, 54.1515],
      [-2.2387, 54.1586],
      [-2.279, 54.167],
      [-2.315, 54.195],
      [-2.32, 54.22],
    ],
  },
  {
    name: 'Hagwith Lane',
    kind: 'minor_road',
    points: [
      [-2.1298, 54.0553],
      [-2.109, 54.0625],
      [-2.0735, 54.0698],
      [-2.0512, 54.0749],
      [-2.027, 54.089],
      [-1.994, 54.091],
      [-1.95, 54.105],
      [-1.85, 54.11],
    ],
  },
  {
    name: 'Oxmarsh Road',
    kind: 'minor_road',
    points: [
      [-2.1451, 54.0482],
      [-2.1395, 54.0405],
      [-2.128, 54.0225],
      [-2.106, 54.0015],
      [-2.091, 53.9855],
      [-2.063, 53.967],
      [-2.041, 53.935],
      [-2.05, 53.9],
    ],
  },
  {
    kind: 'minor_road',
    points: [
      [-2.091, 53.9855],
      [-2.036, 53.997],
      [-1.9821, 54.0201],
    ],
  },
  {
    kind: 'minor_road',
    points: [
      [-2.2296, 53.9609],
      [-2.168, 53.969],
      [-2.091, 53.9855],
    ],
  },
  {
    kind: 'minor_road',
    points: [
      [-2.2891, 54.0904],
      [-2.281, 54.124],
      [-2.2387, 54.1586],
    ],
  },
  {
    kind: 'rail',
    points: [
      [-2.283, 53.9],
      [-2.243, 53.949],
      [-2.206, 54.002],
      [-2.176, 54.0315],
      [-2.157, 54.0395],
      [-2.1415, 54.0455],
      [-2.1325, 54.0527],
      [-2.1095, 54.0735],
      [-2.068, 54.098],
      [-2.008, 54.137],
      [-1.95, 54.16],
      [-1.85, 54.2],
    ],
  },
];

/** The streets of the town that have services. */
export const streets: readonly ValleyLine[] = [
  street('Market Hill', [-2.1512, 54.0513], [-2.15118, 54.05133], [-2.1508, 54.0522], [-2.15, 54.0524]),
  street('Tolbooth Street', [-2.1512, 54.0513], [-2.1497, 54.0507], [-2.148, 54.0502]),
  street('Sheep Street', [-2.1508, 54.0522], [-2.15022, 54.05276], [-2.1509, 54.0531], [-2.152, 54.0543]),
  street('Church Walk', [-2.15022, 54.05276], [-2.1487, 54.0536], [-2.147, 54.0541]),
  street("Dyers' Court", [-2.148, 54.0502], [-2.1474, 54.0512], [-2.1472, 54.0525], [-2.147, 54.0541]),
  street('Apothecary Lane', [-2.1474, 54.0512], [-2.14565, 54.05187]),
  street('Corn Store Yard', [-2.148, 54.0502], [-2.1473, 54.05], [-2.1465, 54.0496]),
  street('Bell Yard', [-2.1512, 54.0513], [-2.1533, 54.0521], [-2.1533, 54.0526]),
  street('Weir Lane', [-2.1545, 54.0484], [-2.1527, 54.0492], [-2.1505, 54.0501]),
  street('Ropewalk', [-2.1545, 54.0484], [-2.1541, 54.0465], [-2.1525, 54.045]),
  street('Tannery Row', [-2.1545, 54.0484], [-2.1515, 54.0474], [-2.1483, 54.047], [-2.1458, 54.0467]),
  street('Infirmary Lane', [-2.148, 54.0502], [-2.1462, 54.0488], [-2.1451, 54.0482], [-2.142, 54.0475]),
  street('Bridge End', [-2.1545, 54.0484], [-2.1569, 54.0474]),
  street('Gasworks Lane', [-2.1615, 54.0452], [-2.1621, 54.0441]),
  street('Weirside Road', [-2.1615, 54.0452], [-2.1655, 54.0448], [-2.1713, 54.0432], [-2.17644, 54.04213]),
  street('Long Meadow Road', [-2.1713, 54.0432], [-2.168, 54.042], [-2.1655, 54.0408], [-2.1625, 54.0393]),
  street('Chapel Brow', [-2.1655, 54.0408], [-2.1675, 54.038], [-2.1691, 54.0359], [-2.17, 54.0325]),
  street("Drovers' Way", [-2.1525, 54.045], [-2.1515, 54.041], [-2.1499, 54.0366], [-2.148, 54.033]),
  street('Lime Kiln Road', [-2.1499, 54.0366], [-2.1447, 54.0334], [-2.1423, 54.0319], [-2.138, 54.0305]),
  street('Station Approach', [-2.1385, 54.0522], [-2.1339, 54.0527]),
  street('Drill Hall Lane', [-2.1298, 54.0553], [-2.1285, 54.0575], [-2.1262, 54.0583]),
  street('Mill Race Road', [-2.1495, 54.0555], [-2.1535, 54.059], [-2.158, 54.0637], [-2.1605, 54.0675]),
  street('Bobbin Lane', [-2.158, 54.0637], [-2.1555, 54.0655], [-2.1539, 54.0665], [-2.1505, 54.069]),
  street('Curlew Close', [-2.1405, 54.0745], [-2.1355, 54.0685], [-2.1315, 54.0671], [-2.1285, 54.0672]),
  street('Lapwing Parade', [-2.1315, 54.0671], [-2.1302, 54.0665], [-2.1275, 54.0625], [-2.1298, 54.0553]),
];

/** Woods, parks and what else gives the ground its colours, as the points around them. */
export const areas: readonly ValleyLine[] = [
  {
    name: 'Long Meadow Park',
    kind: 'park',
    points: [
      [-2.169, 54.0409],
      [-2.1655, 54.0421],
      [-2.1615, 54.0411],
      [-2.1622, 54.0394],
      [-2.1665, 54.0397],
    ],
  },
  {
    name: 'Quarry Top Allotments',
    kind: 'allotments',
    points: [
      [-2.143, 54.0316],
      [-2.1402, 54.0321],
      [-2.1398, 54.0308],
      [-2.1423, 54.0304],
    ],
  },
  {
    name: 'Sarrow Health Centre',
    kind: 'hospital',
    points: [
      [-2.1459, 54.0487],
      [-2.1442, 54.0485],
      [-2.1441, 54.0478],
      [-2.1457, 54.0479],
    ],
  },
  {
    name: 'Weirside School',
    kind: 'school',
    points: [
      [-2.1775, 54.0424],
      [-2.1757, 54.0428],
      [-2.1752, 54.0418],
      [-2.1769, 54.0414],
    ],
  },
  {
    kind: 'industrial',
    points: [
      [-2.1575, 54.0645],
      [-2.1552, 54.0632],
      [-2.157, 54.0615],
      [-2.1596, 54.0622],
    ],
  },
  {
    name: 'Hagg Wood',
    kind: 'wood',
    points: [
      [-2.205, 54.088],
      [-2.183, 54.092],
      [-2.174, 54.083],
      [-2.186, 54.072],
      [-2.204, 54.076],
    ],
  },
  {
    name: 'Quarry Wood',
    kind: 'wood',
    points: [
      [-2.123, 54.034],
      [-2.108, 54.037],
      [-2.101, 54.028],
      [-2.111, 54.02],
      [-2.122, 54.025],
    ],
  },
  {
    kind: 'wood',
    points: [
      [-2.018, 54.072],
      [-1.988, 54.078],
      [-1.969, 54.066],
      [-1.985, 54.053],
      [-2.008, 54.056],
    ],
  },
  {
    kind: 'wood',
    points: [
      [-2.27, 53.992],
      [-2.244, 54.001],
      [-2.236, 53.989],
      [-2.254, 53.977],
    ],
  },
  {
    name: 'Winder Fell',
    kind: 'scrub',
    points: [
      [-2.36, 54.205],
      [-2.27, 54.21],
      [-2.215, 54.19],
      [-2.2, 54.168],
      [-2.26, 54.175],
      [-2.33, 54.172],
    ],
  },
];

function street(name: string, ...points: Position[]): ValleyLine {
  return { name, kind: 'minor_road', points };
}
