// Words said by people in danger, or about them, in other languages. Accents of Latin letters do not count. A star stands for every ending
// of a word. Words that are mostly said of something else are left out, as in English.

/** Each of the beginnings with each of the endings, written as in a language without spaces. */
const joinEach = (beginnings: string, endings: string): string[] =>
  beginnings.split(' ').flatMap((one) => endings.split(' ').map((other) => `${one}${other}`));

const polish = [
  `samobój*, chcę umrzeć, chce umrzeć, chciałabym umrzeć, chciałbym umrzeć, nie chcę żyć, nie chce żyć, nie chcę już żyć`,
  `nie chce już żyć, zabić się, zabiję się, zabije się, się zabić, się zabiję, się zabije, odebrać sobie życie`,
  `odbiorę sobie życie, odebrał sobie życie, odebrała sobie życie, skończyć ze sobą, skończyć z życiem, powiesić się`,
  `się powiesić, powiesił się, powiesiła się, targnąć się na, targnął się na, targnęła się na, podciąć sobie żyły`,
  `podcięła sobie żyły, podciął sobie żyły, okalecza się, się okalecza, samookalecz*, tnie się po, przedawk*, nałyka*`,
  `połknęła tabletki, połknął tabletki, wszystkie tabletki, gwałt, gwałtu, gwałc*, zgwałc*, wykorzystywana seksualnie`,
  `wykorzystywany seksualnie, wykorzystuje seksualnie, molestuje, molestował, molestowana, molestowany, bije mnie, mnie bije`,
  `bije ją, ją bije, bije żonę, bije dziecko, bije dzieci, bił mnie, mnie bił, pobił mnie, mnie pobił, pobił ją, ją pobił`,
  `mąż bije, partner bije, dusił mnie, mnie dusi, dusił ją, ją dusi, boję się męża, boi się męża, boję się partnera`,
  `boi się partnera, boję się ojca, boi się ojca, że mnie zabije, że ją zabije, że go zabije, chce mnie zabić, chce ją zabić`,
  `zabić siebie, zabić dziecko, znęca się nad, się nad nią znęca, się nade mną znęca, doświadcza przemocy`,
];

const welsh = [
  `hunanladd*, eisiau marw, isio marw, moyn marw, ddim eisiau byw, ddim isio byw, ddim am fyw, lladd fy hun*, lladd ei hun*`,
  `lladd eu hun*, ladd fy hun*, ladd ei hun*, ladd eu hun*, diweddu fy mywyd, diweddu ei bywyd, diweddu ei fywyd`,
  `rhoi diwedd ar fy mywyd, rhoi diwedd ar ei bywyd, rhoi diwedd ar ei fywyd, gorddos, orddos, cymryd gormod o dabledi`,
  `gymryd gormod o dabledi, hunan niweidio, hunan anafu, niweidio fy hun*, niweidio ei hun*, torri fy hun*, treisio`,
  `dreisio, threisio, nhreisio, trais rhywiol, cam drin plant, ei cham drin, ei gam drin, fy ngham drin, eu cam drin`,
  `fy nharo, ei tharo hi, fy nghuro, ei churo, yn fy mwrw, ofn fy ngŵr, ofn ei gŵr, ofn ei phartner, ofn fy mhartner`,
  `ofn fy nhad, fy lladd i, ei lladd hi, dioddef trais`,
];

const romanian = [
  `sinucid*, sinucig*, mă omor, să se omoare, vreau să mor, vrea să moară, nu mai vreau să trăiesc, nu vreau să mai trăiesc`,
  `nu mai vrea să trăiască, nu vrea să mai trăiască, mi iau viața, și ia viața, și a luat viața, spânzur, se spânzure`,
  `supradoz*, prea multe pastile, toate pastilele, violat, violată, violul, un viol, violează, abuzat sexual`,
  `abuzată sexual, abuz sexual, abuzează sexual, agresat sexual, agresată sexual, mă bate, mă bătea, soțul o bate`,
  `soțul ei o bate, partenerul o bate, o bate pe, își bate, m a bătut, a bătut o, mă lovește, o lovește, m a lovit, a lovit o`,
  `frică de soț*, frică de partener*, frică de tata, se teme de soț*, mă tem de soț*, mă omoară, o omoară, să mă omoare`,
  `să o omoare, mă strânge de gât, m a strâns de gât, soț violent, soțul este violent, partener violent, se taie pe`,
  `mă tai pe, automutil*, autovătăm*, își face singur rău, își face singură rău, îmi fac singură rău, îmi fac singur rău`,
  `suferă violență domestică`,
];

const ukrainian = [
  `самогуб*, суїцид*, хочу померти, хоче померти, не хочу жити, не хоче жити, не хочу більше жити, не хоче більше жити`,
  `вбити себе, убити себе, вб'ю себе, уб'ю себе, вбив себе, вбила себе, руки на себе, на себе руки, покінчити з собою`,
  `покінчити із собою, покінчити з життям, позбавити себе життя, повіситися, повіситись, передоз*, наковталася таблеток`,
  `наковтався таблеток, всі таблетки, усі таблетки, зґвалт*, згвалт*, ґвалту*, гвалтує, гвалтував, мене б'є, б'є мене`,
  `її б'є, б'є її, б'є дружину, б'є дитину, б'є дітей, побив мене, мене побив, побив її, її побив, душив мене, мене душить`,
  `душив її, боюся чоловіка, боюсь чоловіка, боїться чоловіка, боюся партнера, боїться партнера, мене вбити, її вбити`,
  `вбити мене, вбити її, мене вб'є, її вб'є, вб'є мене, вб'є її, ріже себе, ріжу себе, ріже собі, самоушкодж*`,
  `самопошкодж*, сексуальне насильство, сексуального насильства, зазнає насильства, потерпає від насильства`,
];

const russian = [
  `хочу умереть, хочет умереть, не хочу жить, не хочет жить, не хочу больше жить, не хочет больше жить, самоубий*, суицид*`,
  `покончить с собой, убить себя, убью себя, наложить на себя руки, передоз*, изнасил*, насилует, муж меня бьет, муж меня бьёт`,
  `меня бьет, меня бьёт, ее бьет, её бьёт, боюсь мужа, боится мужа, хочет меня убить, режет себя`,
];

const arabic = [
  `انتحار, ينتحر, تنتحر, انتحر, سأنتحر, أن أموت, أن يموت, أن تموت, أريد الموت, تريد الموت, يريد الموت, أتمنى الموت`,
  `تتمنى الموت, يتمنى الموت, بدي أموت, بدها تموت, بده يموت, عايز أموت, عايزة أموت, عايز يموت, عايزة تموت, أريد أن أعيش بعد`,
  `لا أريد أن أعيش, لا تريد أن تعيش, لا يريد أن يعيش, لا أريد العيش, لا تريد العيش, لا يريد العيش, لا أرغب في الحياة`,
  `لا ترغب في الحياة, لا يرغب في الحياة, إنهاء حياتي, إنهاء حياتها, إنهاء حياته, أنهي حياتي, تنهي حياتها, ينهي حياته`,
  `أقتل نفسي, سأقتل نفسي, قتل نفسي, قتل نفسها, قتل نفسه, تقتل نفسها, يقتل نفسه, أؤذي نفسي, تؤذي نفسها, يؤذي نفسه, إيذاء النفس`,
  `إيذاء نفسي, إيذاء نفسها, إيذاء نفسه, تجرح نفسها, يجرح نفسه, أجرح نفسي, جرعة زائدة, جرعات زائدة, كل الحبوب, ابتلعت حبوب`,
  `اغتصاب, اغتصب, اغتصبني, اغتصبها, اغتصبت, مغتصبة, يغتصبني, يغتصبها, اعتداء جنسي, اعتدى علي, اعتدى عليها, تحرش بي`,
  `تحرش بها, يتحرش بي, يتحرش بها, يضربني, يضربها, ضربني, ضربها زوجها, يضرب زوجته, يضرب أطفاله, يضرب الأطفال, يضرب ابنه`,
  `يضرب ابنته, أخاف من زوجي, تخاف من زوجها, خائفة من زوجي, خائفة من زوجها, أخاف من أبي, يهددني بالقتل, يهددها بالقتل`,
  `هددني بالقتل, هددها بالقتل, بقتلي, بقتلها, يريد قتلي, سيقتلني, سيقتلها, يقتلني, يقتلها, خنقني, خنقها, يخنقني`,
  `تتعرض للضرب, أتعرض للضرب, تتعرض للعنف, أتعرض للعنف, يتعرض للضرب`,
];

const urdu = [
  `خودکشی, خود کشی, خودکشیاں, مرنا چاہت*, مر جانا چاہت*, جینا نہیں چاہت*, زندہ نہیں رہنا, جینے کا دل نہیں, زندگی ختم کر*`,
  `اپنی جان لین*, اپنی جان لے*, خود کو مار*, خود کو ختم, خود کو نقصان, خود کو کاٹ*, اپنے آپ کو مار*, اپنے آپ کو ختم`,
  `اپنے آپ کو نقصان, اپنے آپ کو کاٹ*, زہر کھا*, زہر پی, ساری گولیاں, بہت سی گولیاں, نیند کی گولیاں کھا, اوور ڈوز, اوورڈوز`,
  `زنا بالجبر, عصمت دری, ریپ, ساتھ زیادتی, جنسی زیادتی, جنسی تشدد, جنسی ہراس*, مجھے مارت*, اسے مارت*, شوہر مارت*`,
  `بیوی کو مارت*, بچوں کو مارت*, بچے کو مارت*, مجھے مارا, مار پیٹ*, مارتا پیٹتا, شوہر سے ڈر*, شوہر سے خوف*, باپ سے ڈر*`,
  `جان سے مار*, قتل کرنے کی دھمکی, مجھے قتل, اسے قتل, گلا دبا*, گلا گھونٹ*, تشدد کرت*, تشدد کا شکار, زبردستی شادی`,
  `khudkushi, khudkhushi, khud kushi, khud khushi, marna chahta, marna chahti, marna chahte, mar jana chahta, mar jana chahti`,
  `jeena nahi chahta, jeena nahi chahti, jeene ka dil nahi, zinda nahi rehna, zindagi khatam, khud ko maar*, khud ko khatam`,
  `khud ko nuqsan, zehar kha*, mujhe marna hai, mujhe marta hai, mujhe maarta hai, mujhe maarta, shohar marta, shohar maarta`,
  `shohar mujhe, shohar se dar*, jaan se maar*, mere sath ziadti, jinsi ziadti, balatkar, atmahatya, aatmahatya`,
];

const punjabi = [
  `ਖੁਦਕੁਸ਼ੀ*, ਖੁਦਕਸ਼ੀ*, ਆਤਮਹੱਤਿਆ*, ਆਤਮ ਹੱਤਿਆ*, ਮਰਨਾ ਚਾਹੁੰਦ*, ਮਰ ਜਾਣਾ ਚਾਹੁੰਦ*, ਜੀਣਾ ਨਹੀਂ ਚਾਹੁੰਦ*, ਜਿਉਣਾ ਨਹੀਂ ਚਾਹੁੰਦ*`,
  `ਜੀਉਣਾ ਨਹੀਂ ਚਾਹੁੰਦ*, ਜਿਊਣਾ ਨਹੀਂ ਚਾਹੁੰਦ*, ਜ਼ਿੰਦਗੀ ਖਤਮ, ਜਾਨ ਲੈਣ*, ਆਪਣੇ ਆਪ ਨੂੰ ਮਾਰ*, ਆਪਣੇ ਆਪ ਨੂੰ ਖਤਮ, ਆਪਣੇ ਆਪ ਨੂੰ ਨੁਕਸਾਨ`,
  `ਆਪਣੇ ਆਪ ਨੂੰ ਕੱਟ*, ਖੁਦ ਨੂੰ ਮਾਰ*, ਖੁਦ ਨੂੰ ਖਤਮ, ਖੁਦ ਨੂੰ ਨੁਕਸਾਨ, ਜ਼ਹਿਰ ਖਾ*, ਜ਼ਹਿਰ ਪੀ*, ਸਾਰੀਆਂ ਗੋਲੀਆਂ, ਓਵਰਡੋਜ਼*, ਓਵਰ ਡੋਜ਼*`,
  `ਬਲਾਤਕਾਰ*, ਜਿਨਸੀ ਸ਼ੋਸ਼ਣ*, ਜਿਨਸੀ ਹਿੰਸਾ*, ਮੈਨੂੰ ਮਾਰਦ*, ਮੈਨੂੰ ਮਾਰਿਆ, ਮੈਨੂੰ ਕੁੱਟ*, ਉਸਨੂੰ ਮਾਰਦ*, ਉਸ ਨੂੰ ਮਾਰਦ*, ਉਸਨੂੰ ਕੁੱਟ*`,
  `ਉਸ ਨੂੰ ਕੁੱਟ*, ਕੁੱਟਦਾ*, ਕੁੱਟਮਾਰ*, ਕੁੱਟ ਮਾਰ*, ਪਤੀ ਤੋਂ ਡਰ*, ਘਰਵਾਲੇ ਤੋਂ ਡਰ*, ਜਾਨੋਂ ਮਾਰ*, ਜਾਨ ਤੋਂ ਮਾਰ*, ਗਲਾ ਘੁੱਟ*, ਹਿੰਸਾ ਦਾ ਸ਼ਿਕਾਰ`,
  `ਹਿੰਸਾ ਦੀ ਸ਼ਿਕਾਰ, marna chahunda, marna chahundi, mainu marda, mainu maarda, mainu kutda`,
];

const bengali = [
  `আত্মহত্যা*, মরতে চাই*, মরতে চায়*, মরে যেতে চাই*, মরে যেতে চায়*, বাঁচতে চাই না, বাঁচতে চায় না, বেঁচে থাকতে চাই না`,
  `বেঁচে থাকতে চায় না, আর বাঁচতে, নিজেকে শেষ, নিজেকে মের*, নিজেকে মার*, নিজেকে আঘাত*, নিজেকে কাট*, নিজের হাত কাট*`,
  `নিজের জীবন শেষ*, জীবন শেষ কর*, নিজের ক্ষতি*, বিষ খে*, বিষ খা*, সব ওষুধ খে*, সবগুলো ওষুধ*, অনেক ঘুমের ওষুধ, অতিরিক্ত ওষুধ*`,
  `ওভারডোজ*, ধর্ষণ*, ধর্ষিত*, যৌন নির্যাতন*, যৌন নিপীড়ন*, যৌন হয়রানি*, আমাকে মারে*, আমাকে মারধর*, আমাকে মেরে*, তাকে মারে*`,
  `তাকে মারধর*, মারধর কর*, স্ত্রীকে মার*, বাচ্চাকে মার*, বাচ্চাদের মার*, স্বামীকে ভয়*, স্বামীর ভয়*, মেরে ফেল*, খুন কর*, গলা টিপ*`,
  `গলা চেপ*, গলায় দড়ি*, নির্যাতন কর*, নির্যাতনের শিকার, morte chai, morte chay, bachte chai na, banchte chai na, attohotta`,
  `atmohotta, amake mare, amake marche`,
];

const hindi = [
  `आत्महत्या*, खुदकुशी*, मरना चाह*, मर जाना चाह*, जीना नहीं चाह*, जान देना चाह*, खुद को मार*, खुद को नुकसान, खुद को खत्म, जहर खा*`,
  `सारी गोलियां, ओवरडोज*, बलात्कार*, मुझे मारता, मुझे पीटता, पति मारता, पत्नी को मारता, बच्चों को मारता, पति से डर*, जान से मार*`,
  `यौन शोषण*, મરવું છે, આત્મહત્યા*, બળાત્કાર*, મને મારે છે`,
];

/** Chinese, in simplified and traditional letters. */
const chinese = [
  `自杀, 自殺, 轻生, 輕生, 寻死, 尋死, 想死, 不想活, 活不下去, 一了百了, 生无可恋, 生無可戀, 死了算了, 不如死了`,
  `结束生命, 結束生命, 结束自己的生命, 結束自己的生命, 结束我的生命, 結束我的生命, 结束她的生命, 結束她的生命, 结束他的生命`,
  `結束他的生命, 了结自己, 了結自己, 了结生命, 了結生命, 活着没意思, 活著沒意思, 活着没有意思, 活著沒有意思, 不想再活`,
  `不想继续活, 不想繼續活, 遗书, 遺書, 跳楼自, 跳樓自, 想跳楼, 想跳樓, 要跳楼, 要跳樓, 跳河, 想跳桥, 想跳橋, 想上吊, 要上吊, 上吊自`,
  `割腕, 割脉, 割脈, 烧炭自, 燒炭自, 自残, 自殘, 自伤, 自傷, 自我伤害, 自我傷害, 伤害自己, 傷害自己, 杀死自己, 殺死自己`,
  `杀了自己, 殺了自己, 用刀割自己, 服药过量, 服藥過量, 用药过量, 用藥過量, 吃药过量, 吃藥過量, 药物过量, 藥物過量, 过量服药`,
  `過量服藥, 过量吃药, 過量吃藥, 吞药, 吞藥, 吞了药, 吞了藥, 吞安眠药, 吞安眠藥, 吞了安眠药, 吞了安眠藥, 一整瓶药, 一整瓶藥`,
  `整瓶药, 整瓶藥, 所有的药, 所有的藥, 喝农药, 喝農藥, 喝了农药, 喝了農藥, 喝漂白水, 强奸, 強姦, 強奸, 强暴, 強暴, 被性侵`,
  `遭性侵, 性侵了, 性侵犯, 性侵害, 性侵我, 性侵她, 性虐待, 猥亵, 猥褻, 性骚扰我, 性騷擾我, 逼我发生性, 逼我發生性`,
  ...joinEach(
    '丈夫 老公 先生 男朋友 男友 伴侣 伴侶 前夫 爸爸 父亲 父親 妈妈 媽媽 儿子 兒子',
    '打我 打她 打他',
  ),
  ...joinEach('经常 經常 常 总 總 会 會 又 要 一直 每天 喝醉就 喝醉了就', '打我 打她 打他'),
  ...joinEach('打了 打伤 打傷 毒打 殴打 毆打 掐 掐住 勒住 勒死 掐死 虐待', '我 她 他'),
  ...joinEach(
    '要 想 会 會 说要 說要 威胁要 威脅要',
    '杀我 殺我 杀她 殺她 杀他 殺他 杀了 殺了 杀死 殺死 杀人 殺人',
  ),
  ...joinEach(
    '被',
    '打伤 打傷 毒打 殴打 毆打 虐待 家暴 捅 刀捅 丈夫打 老公打 先生打 男朋友打 男友打 爸爸打 父亲打 父親打',
  ),
  `挨打, 毒打, 动手打, 動手打, 打老婆, 打孩子, 打小孩, 虐待儿童, 虐待兒童, 虐童, 虐待孩子, 虐待老人, 殴打, 毆打, 家庭暴力, 遭受家暴`,
  `遭家暴, 受到家暴, 受家暴, 家暴我, 家暴她, 威胁要杀, 威脅要殺, 拿刀威, 拿刀要, 用刀捅, 用刀刺, 掐我脖子, 掐住我, 掐她脖子`,
  `怕我丈夫, 怕我老公, 害怕丈夫, 害怕老公, 害怕她丈夫, 害怕她老公, 害怕她的丈夫, 害怕我的丈夫, 怕丈夫, 怕老公, 不敢回家`,
  `强迫结婚, 強迫結婚, 逼婚, 叫不醒, 不省人事`,
];

const japanese = [
  `自殺, 死にたい, しにたい, 死んでしまいたい, 死んだほうが, 死んだ方が, 消えてしまいたい, 消えたい, 生きていたくない, 生きたくない`,
  `生きるのがつら, 生きるのに疲れ, 首を吊, 首吊り, 飛び降り, 飛び降り自, リストカット, 手首を切, 自傷, 過剰摂取, 大量服薬, 大量に飲ん`,
  `オーバードーズ, 薬を全部, 睡眠薬を大量, 殴られ, 殴る, 暴力を振る, 暴力をふる, 暴力を受け, 家庭内暴力, 首を絞め, 性的暴行, 性暴力`,
  `レイプ, 強姦, 性的虐待, 虐待され, 虐待を受け, 児童虐待, 殺され, 殺してやる, 殺すと, 殺したい, 刺され, 夫が怖い, 夫に叩`,
];

const otherAsian = [
  // Korean: 살 alone also ends words (“lives alone”), so whole words are listed.
  `자살, 자살을, 자살하고, 자살하려고, 자살하겠다고, 자살했다, 자살시도, 자살시도를, 자살생각, 자살충동, 죽고 싶*, 죽고싶*`,
  `살고 싶지 않*, 살고싶지 않*, 자해, 자해를, 자해하고, 자해했*, 성폭행*, 성폭력을, 강간*, 과다복용*, 과다 복용*, 폭행당*`,
  `폭행을 당*, 남편이 때려*, 남편이 때리*, 저를 때려*, 나를 때려*, 남편이 무서*, 학대당*, 학대를 당*, 죽이겠다*`,
  // Thai.
  `ฆ่าตัวตาย, อยากตาย, ไม่อยากอยู่แล้ว, ไม่อยากมีชีวิต, ทำร้ายตัวเอง, กรีดข้อมือ, ผูกคอ, กินยาเกินขนาด, ข่มขืน, ล่วงละเมิดทางเพศ`,
  `ทำร้ายร่างกาย, สามีทำร้าย, ตบตี, ทุบตี, ขู่ฆ่า, จะฆ่าฉัน, กลัวสามี`,
  // Vietnamese. “Tu tu” is also “slowly”, so it needs another word.
  `muốn tự tử, định tự tử, ý định tự tử, đã tự tử, tự sát, muốn chết, không muốn sống, quá liều, hiếp dâm, cưỡng hiếp`,
  `chồng đánh tôi, chồng tôi đánh, chồng đánh cô, bị chồng đánh, tự làm hại bản thân, dọa giết, sợ chồng`,
  // Tamil, Persian.
  `தற்கொலை*, சாக விரும்ப*, பாலியல் வன்*, می خواهم بمیرم, میخواهم بمیرم, نمی خواهم زنده, تجاوز جنسی, به من تجاوز, شوهرم مرا می زند`,
  `شوهرم مرا کتک, کتک می زند, خودم را بکشم`,
];

const westernEuropean = [
  // Spanish, French, German, Italian, Portuguese, Turkish and Albanian.
  `quiere matarse, quiero matarme, quiere morir, quiero morir, no quiere vivir, no quiero vivir, suicidarse, suicidarme`,
  `sobredosis, violada, mi marido me pega, veux mourir, veut mourir, envie de mourir, me suicider, se suicider, se tuer`,
  `mon mari me frappe, will nicht mehr leben, will sterben, möchte sterben, umbringen, selbstmord, suizid`,
  `mein mann schlägt mich, vuole morire, voglio morire, uccidersi, suicidarsi, quero morrer, quer morrer, se matar, suicídio`,
  `ölmek istiyorum, ölmek istiyor, intihar, yaşamak istemiyorum, yaşamak istemiyor, kendimi öldürmek, kocam beni dövüyor`,
  `tecavüz, dua të vdes, do të vdesë, vetëvrasje, vras veten`,
];

export const crisisInOtherLanguages: readonly string[] = [
  ...polish,
  ...welsh,
  ...romanian,
  ...ukrainian,
  ...russian,
  ...arabic,
  ...urdu,
  ...punjabi,
  ...bengali,
  ...hindi,
  ...chinese,
  ...japanese,
  ...otherAsian,
  ...westernEuropean,
].flatMap((line) => line.split(', '));

const addSpaces = (letters: string) => [...letters].join(' ');

/**
 * Ordinary words that have these letters: “a young life” has “take one’s life”, “rigid thinking” has “want to die”, and “ring me” has “hit me”. In
 * Romanian, a thought “beats” somebody.
 */
export const harmlessInOtherLanguages = new RegExp(
  ` (${[
    ...['年轻生', '年輕生', '思想死', '不想活动', '不想活動', '不想活跃', '不想活躍'].map(addSpaces),
    '打 [我她他](?: 的)? [电電手] [话話机機]',
    '(?:ma|o|il) bate (?:gandul|vantul)',
  ].join('|')})(?= )`,
  'g',
);
